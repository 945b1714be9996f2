-- Live sessions by age, a page at a time; or one session.
-- ARGV 2 one | page 3 session, or the epoch to start after 4 most
-- Returns {session…, …}
local gone = lost()
if gone then return gone end
if ARGV[2] == 'one' then
  settle(ARGV[3])
  return {view(ARGV[3])}
end
local found = {}
local ids = redis.call('ZRANGEBYSCORE', k('sessions'), '(' .. ARGV[3], '+inf', 'LIMIT', 0, ARGV[4])
for _, sid in ipairs(ids) do found[#found + 1] = view(sid) end
return found
