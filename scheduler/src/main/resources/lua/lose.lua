-- The Machine of a live session is dead: condemned, and the session hears of it.
-- ARGV 4 region 5 leader's epoch 6 machine 7 session 8 its epoch 9 replace | notify | none
--      10 confirm ms 11 max ms 12 key kept ms
-- Returns {lost} {replaced, session…} {moved}
local gone = may_write(ARGV[4], ARGV[5])
if gone then return gone end
local m, sid, how = machine(ARGV[6]), ARGV[7], ARGV[9]
if not m or m.state ~= 'assigned' or m.session ~= sid or num(m.epoch) ~= num(ARGV[8]) then
  return {'moved'}
end
become(m, 'condemned', 'session', '', 'sealed', '', 'lost', '1')
note('machine.condemned', m.region, m.id, nil, nil, 'it died under its session')
local s = session(sid)
if not s or (s.stage ~= 'granted' and s.stage ~= 'connected') then return {'lost'} end
if how == 'none' then
  finish(s, 'machine_lost', num(ARGV[12]), 'its Machine died')
  return {'lost'}
end
-- The lease goes on as it is: by its end the gateway has heard, or is gone.
set(s, 'stage', 'lost', 'lost', STAMP, 'sealed', '')
say('lost', s, 'its Machine died')
if how ~= 'replace' then return {'lost'} end
set(s, 'waiting_since', STAMP)
for region in string.gmatch(s.regions, '[^,]+') do
  local id = is_granting() and not is_closed(region) and best(region)
  if id then
    grant(s, machine(id), ARGV[10], ARGV[11])
    return {'replaced', view(s)}
  end
end
join(sid, s.tenant, s.regions, FIRST_OF_ALL)
return {'lost'}
