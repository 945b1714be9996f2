-- One session; or those that are not over, oldest first, a page at a time.
-- ARGV 4 one | page 5 session, or the place to start after 6 most
-- Returns {{place, session…}, …}
local gone = lost()
if gone then return gone end
if ARGV[4] == 'one' then
  local s = session(ARGV[5])
  return s and {{'0', view(s)}} or {}
end
local found = {}
local ids = redis.call('ZRANGEBYSCORE', k('live'), '(' .. ARGV[5], '+inf', 'WITHSCORES', 'LIMIT', 0,
  ARGV[6])
for i = 1, #ids, 2 do
  local s = session(ids[i])
  if s then found[#found + 1] = {ids[i + 1], view(s)} end
end
return found
