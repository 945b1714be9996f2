-- The Machine of a live session is dead: condemned, and the session hears of it.
-- ARGV 2 region 3 leader's epoch 4 machine 5 session 6 its epoch 7 replace | notify | none
-- Returns {lost} {replaced, session…} {moved}
local gone = lost() or fenced(ARGV[2], ARGV[3])
if gone then return gone end
local id, sid, how = ARGV[4], ARGV[5], ARGV[7]
local m = machine(id)
if not m or m.state ~= 'assigned' or m.session ~= sid or num(m.epoch) ~= num(ARGV[6]) then
  return {'moved'}
end
set_state(id, m, 'condemned', 'session', '', 'lost', '1')
redis.call('HDEL', k('machine', id), 'sealed')
note('session.lost', m.region, id, sid, m.epoch, how)
if how == 'none' then
  finish(sid, 'machine_lost')
  return {'lost'}
end
local s = k('session', sid)
redis.call('HSET', s, 'stage', 'lost', 'lost', int(NOW))
redis.call('HDEL', s, 'sealed')
if how == 'replace' and redis.call('HGET', k('generation'), 'state') == 'ready' then
  local regions = redis.call('HGET', s, 'regions') or ''
  for region in string.gmatch(regions, '[^,]+') do
    local other = pick(region)
    if other then
      give(sid, other, machine(other), 0)
      tell(sid)
      return {'replaced', view(sid)}
    end
  end
  -- Before everybody who waits for a first Machine, for as long as its lease lasts.
  redis.call('HSET', s, 'deadline', redis.call('HGET', s, 'lease_until'), 'queued', int(NOW))
  enqueue(sid, int(redis.call('HINCRBY', k('turns'), 'seq', 1) % TURN))
end
return {'lost'}
