-- One regional pool, a page of Machines at a time.
-- ARGV 4 region 5 machine to start after ('' for the first page) 6 most
-- Returns {now, arrivals, waiting, {waits}, {marks}, {{id, fields…}, …}}
local region = ARGV[4]
local gone = lost() or unreported(region)
if gone then return gone end
local machines = {}
local from = ARGV[5] == '' and '-' or '(' .. ARGV[5]
for _, id in ipairs(redis.call('ZRANGEBYLEX', k('machines', region), from, '+', 'LIMIT', 0,
  ARGV[6])) do
  machines[#machines + 1] = {id, redis.call('HGETALL', k('machine', id))}
end
return {STAMP, redis.call('HGET', k('arrivals'), region) or '0',
  int(redis.call('ZCARD', k('waiters', 'region', region))),
  redis.call('LRANGE', k('waits', region), -WAITS_KEPT, -1),
  redis.call('SMEMBERS', k('marks', region)), machines}
