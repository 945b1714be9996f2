-- An operator's wish for a Machine or a whole region; effective in this step.
-- ARGV 2 region 3 machine ('' for the region) 4 drain | cordon | pause 5 on | off
-- Returns {ok}
-- Keeps: what is cordoned is on no shelf.
local gone = lost()
if gone then return gone end
local region, id, what, on = ARGV[2], ARGV[3], ARGV[4], ARGV[5] == 'on'
local where = region .. (id ~= '' and ' ' .. id or '')
if id == '' then
  if on then redis.call('HSET', k('marks', region), what, '1')
  else redis.call('HDEL', k('marks', region), what) end
elseif what == 'cordon' then
  redis.call(on and 'SADD' or 'SREM', k('cordoned', region), id)
  local m = machine(id)
  if m and m.state == 'warm' then
    if on then off_shelf(id, m.region, m.template)
    elseif not serve(id, m) then on_shelf(id, m) end
  end
else
  redis.call(on and 'SADD' or 'SREM', k(what, region), id)
end
note('operator.' .. what, region, id, nil, nil, on and 'on' or 'off')
return {'ok'}
