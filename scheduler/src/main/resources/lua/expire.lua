-- Ends what is overdue by this clock: a bounded number at a time, oldest first.
-- ARGV 2 region 3 leader's epoch
-- Returns {session…, …}: the sessions that ended
local gone = lost() or fenced(ARGV[2], ARGV[3])
if gone then return gone end
local ended = {}
for _, who in ipairs(redis.call('ZRANGEBYSCORE', k('leases'), '-inf', int(NOW), 'LIMIT', 0,
  SWEEP_MAX)) do
  local unknown = string.match(who, '^m:(.*)')
  if unknown then
    redis.call('ZREM', k('leases'), who)
    local m = machine(unknown)
    if m and m.state == 'unknown' then set_state(unknown, m, 'draining', 'cleaning', 'due') end
  else
    settle(who)
    local session = view(who)
    if #session > 0 then ended[#ended + 1] = session end
  end
end
return ended
