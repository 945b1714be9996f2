-- An operator's wish for a Machine or a whole region; effective in this step. To drain implies to
-- cordon: what is to leave is not given out meanwhile.
-- ARGV 4 region 5 machine ('' for the region) 6 drain | cordon | pause 7 on | off
-- Returns {ok}
-- Keeps: what is kept back is on no shelf.
local gone = lost()
if gone then return gone end
local region, id, what, on = ARGV[4], ARGV[5], ARGV[6], ARGV[7] == 'on'
redis.call(on and 'SADD' or 'SREM', k('marks', region), id == '' and what or what .. ':' .. id)
if id == '' then
  if not is_closed(region) then serve_from(region) end
else
  local m = machine(id)
  if m and m.state == 'warm' then
    if is_kept_back(m) then off_shelf(m)
    elseif not redis.call('ZSCORE', shelf(m), id) then offer(m) end
  end
end
note(on and 'operator.marked' or 'operator.unmarked', region, id, nil, nil, what)
return {'ok'}
