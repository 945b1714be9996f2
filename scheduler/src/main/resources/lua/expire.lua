-- Ends what is overdue by this clock: a bounded number at a time, oldest first.
-- A leader asks with every tick. When nobody has asked for as long as a gateway has to renew, then
-- nobody could reach the store, gateways neither; so those get one renew window before any lease
-- is judged. An outage of the store ends no session.
-- ARGV 4 region 5 leader's epoch 6 renew within ms 7 lease ms 8 max ms 9 key kept ms
-- Returns {session…, …}: the sessions that ended
local gone = lost() or fenced(ARGV[4], ARGV[5])
if gone then return gone end
local renew_within, t_lease, t_max, t_key = num(ARGV[6]), num(ARGV[7]), num(ARGV[8]), num(ARGV[9])
local MOST = num(EXPIRE_MOST)
local watch = redis.call('HMGET', k('watch'), 'at', 'grace')
local grace = num(watch[2])
if num(watch[1]) + renew_within < NOW then grace = math.max(grace, NOW + renew_within) end
redis.call('HSET', k('watch'), 'at', STAMP, 'grace', int(grace))

local ended = {}
local function each_due(key, visit)
  local ids = redis.call('ZRANGEBYSCORE', k(key), '-inf', STAMP, 'LIMIT', 0, MOST - #ended)
  for _, sid in ipairs(ids) do
    local s = session(sid)
    if not s or s.stage == 'ended' then
      redis.call('ZREM', k(key), sid)
    else
      visit(s)
      ended[#ended + 1] = view(s)
    end
  end
end

each_due('waiters:due', function(s) withdraw(s, 'its time in the queue is over') end)
if NOW < grace then return ended end
if #ended < MOST then
  each_due('leases', function(s)
    if s.stage == 'lost' then
      finish(s, 'machine_lost', t_key, 'its Machine died')
      return
    end
    local why = s.stage == 'granted' and 'not_confirmed' or 'lease_expired'
    if NOW >= num(s.started) + t_max then why = 'max_duration' end
    finish(s, why, t_key, 'it is overdue')
  end)
end
-- A whole lease has passed, and no renewal claimed it: whoever had it has given up.
for _, id in ipairs(redis.call('ZRANGEBYSCORE', k('unknown'), '-inf', int(NOW - t_lease), 'LIMIT', 0,
  MOST)) do
  redis.call('ZREM', k('unknown'), id)
  local m = machine(id)
  if m and m.state == 'unknown' then
    become(m, 'draining', 'cleaning', 'due')
    note('machine.unclaimed', m.region, id, nil, nil, 'no session came for it')
  end
end
return ended
