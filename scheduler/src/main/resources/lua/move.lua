-- One Machine goes from where it stands to somewhere else, or stays.
-- ARGV 4 region 5 leader's epoch 6 machine 7 from (csv of states; '' for "not in the book")
--      8 to ('gone' to forget it) 9 the boot it is about ('' for any) 10 journal word 11 why
--      12… field, value, …
-- Returns {done, from, to} {refused, state or ''}
-- Keeps: an assigned Machine is moved by nobody here.
local region, id, to = ARGV[4], ARGV[6], ARGV[8]
local gone = may_write(region, ARGV[5])
if gone then return gone end
local m = machine(id)
local fields = {}
for i = 12, #ARGV do fields[#fields + 1] = ARGV[i] end
if not m then
  if ARGV[7] ~= '' then return {'refused', ''} end
  for _, v in ipairs({'state', to, 'since', STAMP, 'changed', STAMP}) do
    fields[#fields + 1] = v
  end
  enter(id, region, fields)
  note('machine.' .. ARGV[10], region, id, nil, nil, ARGV[11])
  return {'done', to, to}
end
if not string.find(',' .. ARGV[7] .. ',', ',' .. m.state .. ',', 1, true) or ARGV[7] == ''
  or m.region ~= region or (ARGV[9] ~= '' and m.booted ~= ARGV[9]) then
  return {'refused', m.state}
end
local from = m.state
if from == 'warm' then off_shelf(m) end
if to == 'gone' then
  redis.call('DEL', k('machine', id))
  redis.call('ZREM', k('machines', region), id)
  redis.call('ZREM', k('unknown'), id)
  redis.call('SREM', k('marks', region), 'cordon:' .. id, 'drain:' .. id)
elseif to == from then
  redis.call('HSET', k('machine', id), unpack(fields))
else
  become(m, to, unpack(fields))
end
note('machine.' .. ARGV[10], region, id, nil, nil, ARGV[11])
return {'done', from, to}
