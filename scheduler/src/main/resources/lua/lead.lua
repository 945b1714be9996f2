-- Who leads a regional pool, and which replicas live; by leases on this clock.
-- ARGV 4 campaign | renew | resign | leader | hello | goodbye
--      5 region (hello: how far back, ms) 6 replica 7 lease ms 8 epoch
-- Returns campaign {won, epoch} {held, replica}; renew, resign {1} {0}; leader {replica or ''};
--         hello {replica, …}; goodbye {1}
-- Keeps: a new leader has a higher epoch than anybody before.
local what, region, replica = ARGV[4], ARGV[5], ARGV[6]
-- Also on a store that cannot be believed: a recovery asks who lives.
if what == 'hello' then
  local within = num(region)
  redis.call('ZREM', k('replicas', 'left'), replica)
  redis.call('ZADD', k('replicas'), STAMP, replica)
  local old = int(NOW - within - REPLICA_KEPT)
  redis.call('ZREMRANGEBYSCORE', k('replicas'), '-inf', old)
  redis.call('ZREMRANGEBYSCORE', k('replicas', 'left'), '-inf', old)
  return redis.call('ZRANGEBYSCORE', k('replicas'), int(NOW - within), '+inf')
elseif what == 'goodbye' then
  redis.call('ZREM', k('replicas'), replica)
  redis.call('ZADD', k('replicas', 'left'), STAMP, replica)
  redis.call('SREM', k('generation', 'awaited'), replica)
  G = look_at_generation()
  if G then settle() end
  return {'1'}
end
local gone = lost()
if gone then return gone end
local key = k('leader', region)
local leader = redis.call('GET', key)
local holder = leader and string.match(leader, '^(%S+) ') or ''
if what == 'leader' then return {holder} end
if what == 'campaign' then
  if holder ~= '' and holder ~= replica then return {'held', holder} end
  local epoch = int(redis.call('INCR', k('epoch')))
  redis.call('SET', key, replica .. ' ' .. epoch, 'PX', ARGV[7])
  redis.call('SADD', k('led'), region)
  note('leader.elected', region, nil, nil, epoch, replica .. ' leads')
  return {'won', epoch}
end
if leader ~= replica .. ' ' .. ARGV[8] then return {'0'} end
if what == 'renew' then redis.call('PEXPIRE', key, ARGV[7])
else
  redis.call('DEL', key)
  note('leader.resigned', region, nil, nil, ARGV[8], replica .. ' hands over')
end
return {'1'}
