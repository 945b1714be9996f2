-- A proving Machine is healthy: to the first waiter that may have it, or on the shelf.
-- ARGV 4 region 5 leader's epoch 6 confirm ms 7 max ms 8 machine 9 boot 10 guacd ms 11 rdp ms
-- Returns {warm} {granted, session…} {held, until ms} {refused, state or '', why}
-- Keeps: only what was proven in its present boot is given out.
local region = ARGV[4]
local gone = may_write(region, ARGV[5])
if gone then return gone end
local m = machine(ARGV[8])
if not m or m.region ~= region then return {'refused', '', 'not in the book of ' .. region} end
if m.state ~= 'proving' then return {'refused', m.state, 'it is ' .. m.state} end
if m.booted ~= ARGV[9] then return {'refused', m.state, 'the evidence is about another boot'} end
if not has(m.address) then return {'refused', m.state, 'its address is not known'} end
if G.open == '1' then return {'held', G.held} end
-- A replica whose clock is ahead must not buy trust with it.
m.guacd, m.rdp = int(math.min(num(ARGV[10]), NOW)), int(math.min(num(ARGV[11]), NOW))
become(m, 'warm', 'guacd', m.guacd, 'rdp', m.rdp)
note('machine.proven', region, m.id, nil, nil, 'its probes are healthy')
local s = offer(m, ARGV[6], ARGV[7])
return s and {'granted', view(s)} or {'warm'}
