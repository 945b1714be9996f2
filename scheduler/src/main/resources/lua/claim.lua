-- Gives the best warm Machine of the first region that has one, or a place in the queue.
-- ARGV 2 caller 3 tenant 4 key 5 fingerprint 6 session 7 mark 8 regions (csv) 9 patience ms
--      10 confirm ms 11 lease ms 12 max ms 13 key kept ms 14 queue max
-- Returns {granted, replayed, session…} {queued, session, mark, ahead} {none} {full, waiting}
--         {reused} {spent, session} {recovering, ms}
-- Keeps: one live session per Machine; one session per caller and key.
local gone = lost()
if gone then return gone end
local state = redis.call('HMGET', k('generation'), 'state', 'held_until')
if state[1] ~= 'ready' then return {'recovering', '1000'} end

local caller, key, sid, mark = ARGV[2], ARGV[4], ARGV[6], ARGV[7]
local idem = k('idem', caller, key)
local known = redis.call('HMGET', idem, 'session', 'fingerprint')
if known[1] then
  if known[2] ~= ARGV[5] then return {'reused'} end
  settle(known[1])
  local stage = redis.call('HGET', k('session', known[1]), 'stage')
  if stage == 'granted' or stage == 'connected' then
    redis.call('HSET', k('session', known[1]), 'mark', mark)
    return {'granted', '1', view(known[1])}
  elseif stage == 'waiting' then
    local deadline = int(NOW + num(ARGV[9]))
    redis.call('HSET', k('session', known[1]), 'mark', mark, 'deadline', deadline)
    redis.call('ZADD', k('leases'), deadline, known[1])
    return {'queued', known[1], mark, int(num(redis.call('ZRANK', k('waiters'), known[1])))}
  elseif stage then
    return {'spent', known[1]}
  end
end

local first = string.match(ARGV[8], '[^,]+')
if first then redis.call('HINCRBY', k('arrivals'), first, 1) end

local function open(stage)
  redis.call('HSET', k('session', sid), 'id', sid, 'caller', caller, 'tenant', ARGV[3], 'key', key,
    'fingerprint', ARGV[5], 'stage', stage, 'mark', mark, 'regions', ARGV[8], 'queued', int(NOW),
    't_confirm', ARGV[10], 't_lease', ARGV[11], 't_max', ARGV[12], 't_key', ARGV[13])
  redis.call('HSET', idem, 'session', sid, 'fingerprint', ARGV[5])
  redis.call('PEXPIRE', idem, ARGV[13])
end

for region in string.gmatch(ARGV[8], '[^,]+') do
  local id = pick(region)
  if id then
    open('granted')
    give(sid, id, machine(id), 0)
    return {'granted', '0', view(sid)}
  end
end
if num(ARGV[9]) <= 0 then return {'none'} end
local waiting = redis.call('ZCARD', k('waiters'))
if waiting >= num(ARGV[14]) then return {'full', int(waiting)} end
open('waiting')
local deadline = int(NOW + num(ARGV[9]))
redis.call('HSET', k('session', sid), 'deadline', deadline)
redis.call('ZADD', k('leases'), deadline, sid)
enqueue(sid, next_score(ARGV[3]))
return {'queued', sid, mark, int(num(redis.call('ZRANK', k('waiters'), sid)))}
