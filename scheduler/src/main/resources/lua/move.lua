-- One Machine goes from where it stands to somewhere else, or stays.
-- ARGV 2 region 3 leader's epoch 4 machine 5 from (csv of states; '' for "not in the book")
--      6 to ('gone' to forget it) 7 boot it is about ('' for any) 8 template's sort key or ''
--      9 why 10… field, value, …
-- Returns {done, from, to} {refused, state or ''}
-- Keeps: an assigned Machine is moved by nobody here.
local gone = lost() or fenced(ARGV[2], ARGV[3])
if gone then return gone end
local region, id, to = ARGV[2], ARGV[4], ARGV[6]
local m = machine(id)
local fields = {}
for i = 10, #ARGV do fields[#fields + 1] = ARGV[i] end
if ARGV[5] == '' then
  if m then return {'refused', m.state} end
  redis.call('HSET', k('machine', id), 'region', region, 'state', to, 'since', int(NOW),
    unpack(fields))
  redis.call('ZADD', k('machines', region), 0, id)
  if ARGV[8] ~= '' then redis.call('ZADD', k('templates', region), 0, ARGV[8]) end
  note('machine.' .. to, region, id, nil, nil, ARGV[9])
  return {'done', '', to}
end
if not m or not string.find(',' .. ARGV[5] .. ',', ',' .. m.state .. ',', 1, true)
  or (ARGV[7] ~= '' and m.booted ~= ARGV[7]) then
  return {'refused', m and m.state or ''}
end
local from = m.state
if to == 'gone' then
  redis.call('DEL', k('machine', id))
  redis.call('ZREM', k('machines', region), id)
  redis.call('SREM', k('cordoned', region), id)
  redis.call('SREM', k('drain', region), id)
  note('machine.gone', region, id, nil, nil, ARGV[9])
elseif to == from then
  redis.call('HSET', k('machine', id), unpack(fields))
else
  -- A new boot, or the way out of service: what was proven or staged before counts no more.
  if to == 'provisioning' or to == 'draining' or to == 'condemned' then
    redis.call('HDEL', k('machine', id), 'guacd', 'rdp', 'trusted', 'sealed')
    redis.call('HSET', k('machine', id), 'staged', '0')
  end
  set_state(id, m, to, unpack(fields))
end
return {'done', from, to}
