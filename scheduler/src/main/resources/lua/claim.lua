-- Gives the best warm Machine of the first region that has one, or a place in the queue.
-- ARGV 4 caller 5 tenant 6 key 7 fingerprint 8 session 9 mark 10 regions (csv) 11 patience ms
--      12 confirm ms 13 lease ms 14 max ms 15 key kept ms 16 queue max
-- Returns {granted, {field, value…}} {again, {field, value…}} {queued, session, mark, ahead}
--         {none} {full, waiting} {reused} {spent, session} {recovering}
--         granted says what the caller does not know yet, again all of the session
-- Keeps: one live session per Machine; one session per caller and key.
local gone = lost()
if gone then return gone end
if G.open == '1' then return {'recovering'} end
local caller, key, sid, mark = ARGV[4], ARGV[6], ARGV[8], ARGV[9]
local patience = num(ARGV[11])

-- Another call with its key, or the same one again. Of several, any may have delivered it.
local function asked(s)
  set(s, 'shared', (has(s.shared) or s.mark ~= mark) and '1' or '', 'mark', mark)
end

local function queued(s) return {'queued', s.id, s.mark, int(ahead(s.id))} end

-- The key is known: the same session, however far it has come. Nil when it may begin anew.
local function again(known)
  local s = session(known)
  if not s or s.stage == 'ended' then return {'spent', known} end
  if s.stage == 'granted' or s.stage == 'connected' then
    asked(s)
    return {'again', view(s)}
  elseif s.stage == 'lost' then
    if redis.call('HEXISTS', k('session', known), 'place') == 0 then return {'spent', known} end
    asked(s)
    return queued(s)
  elseif num(s.due) <= NOW then
    withdraw(s, 'its time in the queue is over')
    return nil
  elseif patience == 0 then
    return {'none'}
  end
  -- The newest call with the key stands in the place now, for as long as that one has time.
  asked(s)
  due(s, NOW + patience)
  return queued(s)
end

local used = redis.call('GET', idem(caller, key))
if used then
  local known, fingerprint = string.match(used, '^(%S+) (.*)$')
  if fingerprint ~= ARGV[7] then return {'reused'} end
  local answer = again(known)
  if answer then return answer end
end

redis.call('HINCRBY', k('arrivals'), string.match(ARGV[10], '[^,]+'), 1)
local s = {id = sid, caller = caller, tenant = ARGV[5], key = key, fingerprint = ARGV[7],
  stage = 'waiting', mark = mark, regions = ARGV[10], waiting_since = STAMP,
  due = int(NOW + patience), t_confirm = ARGV[12], t_lease = ARGV[13], t_max = ARGV[14],
  t_key = ARGV[15]}
local fresh = {}
for _, name in ipairs({'id', 'caller', 'tenant', 'key', 'fingerprint', 'mark', 'regions',
  'waiting_since', 't_confirm', 't_lease', 't_max', 't_key'}) do
  fresh[#fresh + 1] = name
  fresh[#fresh + 1] = s[name]
end

local function begin()
  redis.call('ZADD', k('live'), int(MICROS), sid)
  keep_key(s, num(ARGV[15]))
end

for region in string.gmatch(ARGV[10], '[^,]+') do
  local id = not is_closed(region) and best(region)
  if id then
    grant(s, machine(id), ARGV[12], ARGV[14], fresh)
    begin()
    -- All of the session would cost as much as the rest of this script.
    return {'granted', {'machine', s.machine, 'region', s.region, 'address', s.address,
      'epoch', s.epoch, 'granted', s.granted, 'waited', s.waited, 'confirm_by', s.confirm_by,
      'booted', s.booted, 'guacd', s.guacd, 'rdp', s.rdp, 'sealed', s.sealed}}
  end
end
if patience == 0 then return {'none'} end
local waiting = redis.call('ZCARD', k('waiters'))
if waiting >= num(ARGV[16]) then return {'full', int(waiting)} end
set(s, 'stage', 'waiting', unpack(fresh))
begin()
due(s, NOW + patience)
join(sid, s.tenant, s.regions, next_tag(s.tenant))
say('queued', s, 'none is warm in its regions')
return queued(s)
