-- One regional pool, a page of Machines at a time.
-- ARGV 2 region 3 machine to start after ('' for the first page) 4 most
-- Returns {now, arrivals, waiting, {waits}, {drain}, {cordoned}, {marks}, {{id, fields…}, …}}
local gone = lost()
if gone then return gone end
local region = ARGV[2]
local machines = {}
local from = ARGV[3] == '' and '-' or '(' .. ARGV[3]
for _, id in ipairs(redis.call('ZRANGEBYLEX', k('machines', region), from, '+', 'LIMIT', 0,
  ARGV[4])) do
  machines[#machines + 1] = {id, redis.call('HGETALL', k('machine', id))}
end
return {int(NOW), redis.call('HGET', k('arrivals'), region) or '0',
  int(redis.call('ZCARD', k('waiters', region))), redis.call('LRANGE', k('waits', region), 0, -1),
  redis.call('SMEMBERS', k('drain', region)), redis.call('SMEMBERS', k('cordoned', region)),
  redis.call('HKEYS', k('marks', region)), machines}
