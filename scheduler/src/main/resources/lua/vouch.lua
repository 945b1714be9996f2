-- Warm Machines are still healthy: younger proofs. Those that are not warm are passed over.
-- ARGV 4 region 5 leader's epoch, then for each: machine, boot, guacd ms, rdp ms
-- Returns {ok}
local region = ARGV[4]
local gone = may_write(region, ARGV[5])
if gone then return gone end
for i = 6, #ARGV, 4 do
  local m = machine(ARGV[i])
  if m and m.state == 'warm' and m.region == region and m.booted == ARGV[i + 1] then
    m.guacd = int(math.max(num(m.guacd), math.min(num(ARGV[i + 2]), NOW)))
    m.rdp = int(math.max(num(m.rdp), math.min(num(ARGV[i + 3]), NOW)))
    redis.call('HSET', k('machine', m.id), 'guacd', m.guacd, 'rdp', m.rdp)
    redis.call('ZADD', shelf(m), 'XX', int(trusted_until(m)), m.id)
  end
end
return {'ok'}
