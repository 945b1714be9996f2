-- Warm Machines are still healthy: younger proofs. Those that are not warm are passed over.
-- ARGV 2 region 3 leader's epoch, then for each: machine, boot, guacd ms, rdp ms, trusted until
-- Returns {how many}
local gone = lost() or fenced(ARGV[2], ARGV[3])
if gone then return gone end
local done = 0
for i = 4, #ARGV, 5 do
  local m = machine(ARGV[i])
  if m and m.state == 'warm' and m.booted == ARGV[i + 1] then
    redis.call('HSET', k('machine', ARGV[i]), 'guacd', ARGV[i + 2], 'rdp', ARGV[i + 3],
      'trusted', ARGV[i + 4])
    redis.call('ZADD', shelf(m.region, m.template), 'XX', ARGV[i + 4], ARGV[i])
    done = done + 1
  end
end
return {int(done)}
