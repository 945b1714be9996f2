-- Who leads a regional pool, and which replicas live; by leases on this clock.
-- ARGV 2 campaign | renew | resign | leader | hello | goodbye
--      3 region (hello: how far back, ms) 4 replica 5 lease ms 6 epoch
-- Returns campaign {won, epoch} {held, replica}; renew, resign {1} {0}; leader {replica or ''};
--         hello {replica, …}; goodbye {1}
-- Keeps: a new leader has a higher epoch than anybody before.
local what, region, replica = ARGV[2], ARGV[3], ARGV[4]
local gone = lost()
if gone then return gone end
if what == 'hello' then
  redis.call('ZADD', k('replicas'), int(NOW), replica)
  redis.call('ZREMRANGEBYSCORE', k('replicas'), '-inf', int(NOW - 600000))
  return redis.call('ZRANGEBYSCORE', k('replicas'), int(NOW - num(region)), '+inf')
elseif what == 'goodbye' then
  redis.call('ZREM', k('replicas'), replica)
  return {'1'}
end
local key = k('leader', region)
local held = redis.call('GET', key)
local holder = held and string.match(held, '^(%S+) ') or ''
if what == 'leader' then return {holder} end
if what == 'campaign' then
  if holder ~= '' and holder ~= replica then return {'held', holder} end
  local epoch = int(redis.call('INCR', k('epoch')))
  redis.call('SET', key, replica .. ' ' .. epoch, 'PX', ARGV[5])
  redis.call('SADD', k('regions'), region)
  note('leader.elected', region, nil, nil, epoch, replica)
  return {'won', epoch}
end
if held ~= replica .. ' ' .. ARGV[6] then return {'0'} end
if what == 'renew' then redis.call('PEXPIRE', key, ARGV[5])
else
  redis.call('DEL', key)
  note('leader.resigned', region, nil, nil, ARGV[6], replica)
end
return {'1'}
