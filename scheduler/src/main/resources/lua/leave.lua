-- Frees a place in the queue. Of grant, hang-up and deadline exactly one wins, here.
-- ARGV 2 session 3 mark 4 hung_up | deadline
-- Returns {left} {granted, session…} {taken, machine} {superseded} {unheard}
-- Keeps: a Machine goes back to warm only when nothing was delivered.
local gone = lost()
if gone then return gone end
local sid = ARGV[2]
local f = redis.call('HMGET', k('session', sid), 'stage', 'mark', 'machine')
if not f[1] or f[1] == 'ended' then return {'unheard'} end
if f[2] ~= ARGV[3] then return {'superseded'} end
if f[1] == 'waiting' then
  drop_waiter(sid)
  return {'left'}
end
if ARGV[4] == 'deadline' or f[1] ~= 'granted' then return {'granted', view(sid)} end
local id = f[3]
local m = machine(id)
forget_key(sid)
redis.call('ZREM', k('leases'), sid)
redis.call('ZREM', k('sessions'), sid)
redis.call('HSET', k('session', sid), 'stage', 'ended', 'ended', 'withdrawn')
redis.call('HDEL', k('session', sid), 'sealed')
redis.call('PEXPIRE', k('session', sid), 60000)
note('session.ended', m and m.region, id, sid, m and m.epoch, 'withdrawn')
if m and m.state == 'assigned' and m.session == sid then
  set_state(id, m, 'warm', 'session', '')
  if not is_cordoned(m.region, id) and not serve(id, m) then on_shelf(id, m) end
end
return {'taken', id}
