-- The capped stream of what happened.
-- ARGV 4 append 5… for each entry: field count, field, value, …
--      4 after 5 range start 6 most
-- Returns {ok} or {{id, {field, value, …}}, …}
if ARGV[4] == 'after' then
  return redis.call('XRANGE', k('journal'), ARGV[5], '+', 'COUNT', ARGV[6])
end
local i = 5
while i <= #ARGV do
  local count = num(ARGV[i])
  redis.call('XADD', k('journal'), 'MAXLEN', '~', JOURNAL_MAX, '*', unpack(ARGV, i + 1, i + count))
  i = i + 1 + count
end
return {'ok'}
