-- A proving Machine is healthy: to the first waiter that may have it, or on the shelf.
-- ARGV 2 region 3 leader's epoch 4 machine 5 boot 6 guacd proven ms 7 rdp proven ms 8 trusted until
-- Returns {warm} {granted, session…} {held, until ms} {refused, state or '', why}
-- Keeps: only what was proven in its present boot is given out.
local gone = lost() or fenced(ARGV[2], ARGV[3])
if gone then return gone end
local region, id = ARGV[2], ARGV[4]
local m = machine(id)
if not m then return {'refused', '', 'it is in no book'} end
if m.state ~= 'proving' then return {'refused', m.state, 'it is not proving'} end
if m.booted ~= ARGV[5] then return {'refused', m.state, 'the proof is of another boot'} end
local g = redis.call('HMGET', k('generation'), 'state', 'held_until')
if g[1] ~= 'ready' and num(g[2]) > NOW then return {'held', g[2]} end
if g[1] ~= 'ready' or redis.call('SISMEMBER', k('unreported'), region) == 1 then
  return {'held', int(NOW + 1000)}
end
if is_cordoned(region, id) then return {'refused', m.state, 'it is cordoned'} end
m.guacd, m.rdp, m.trusted = ARGV[6], ARGV[7], ARGV[8]
redis.call('HSET', k('machine', id), 'guacd', m.guacd, 'rdp', m.rdp, 'trusted', m.trusted)
set_state(id, m, 'warm')
local sid = serve(id, m)
if sid then return {'granted', view(sid)} end
on_shelf(id, m)
return {'warm'}
