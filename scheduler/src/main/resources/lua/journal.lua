-- The capped stream of what happened.
-- ARGV 2 append 3… for each entry: field count, field, value, …
--      2 after 3 range start 4 most
-- Returns {ok} or {{id, {field, value, …}}, …}
local gone = lost()
if gone then return gone end
if ARGV[2] == 'after' then
  return redis.call('XRANGE', k('journal'), ARGV[3], '+', 'COUNT', ARGV[4])
end
local i = 3
while i <= #ARGV do
  local count = num(ARGV[i])
  redis.call('XADD', k('journal'), 'MAXLEN', '~', JOURNAL_MAX, '*', unpack(ARGV, i + 1, i + count))
  i = i + 1 + count
end
return {'ok'}
