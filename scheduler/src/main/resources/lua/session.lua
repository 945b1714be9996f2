-- What a gateway says about its session.
-- ARGV 2 confirm | renew | release | fail 3 session 4 caller ('' for an operator) 5 epoch or reason
--      6 lease ms 7… receipt, for renew: machine region address granted epoch booted key fingerprint
--        caller tenant regions confirm ms max ms key kept ms
-- Returns {alive, session…} {lost, session…} {over, why} {stale, epoch} {missing}
-- Keeps: a lease is judged by this clock; a session that is over stays over.
local gone = lost()
if gone then return gone end
local what, sid, caller = ARGV[2], ARGV[3], ARGV[4]
local s = k('session', sid)
settle(sid)
local f = redis.call('HMGET', s, 'stage', 'caller', 'ended', 'epoch', 'max_until', 'machine',
  'first_epoch', 'region')

-- The store lost the session; its receipt says what it was. Believed as long as the Machine has
-- not been given to anybody, nor wiped, since.
local function recognise()
  local id, region, epoch, booted = ARGV[7], ARGV[8], num(ARGV[11]), ARGV[12]
  local m = machine(id)
  if m and (m.state == 'assigned' or m.state == 'draining' or m.state == 'condemned'
    or m.state == 'parked' or num(m.booted) > num(ARGV[10])) then return false end
  if not m then
    m = {region = region, template = '0', state = 'unknown', booted = booted, address = ARGV[9]}
    redis.call('HSET', k('machine', id), 'region', region, 'template', '0', 'name', id, 'keep',
      'always', 'booted', booted, 'address', ARGV[9], 'state', 'unknown', 'since', int(NOW))
    redis.call('ZADD', k('machines', region), 0, id)
  end
  redis.call('ZREM', k('leases'), 'm:' .. id)
  set_state(id, m, 'assigned', 'session', sid, 'epoch', int(epoch))
  if epoch > num(redis.call('GET', k('epoch'))) then redis.call('SET', k('epoch'), int(epoch)) end
  redis.call('HSET', s, 'id', sid, 'caller', ARGV[15], 'tenant', ARGV[16], 'key', ARGV[13],
    'fingerprint', ARGV[14], 'stage', 'connected', 'mark', 'receipt', 'regions', ARGV[17],
    'queued', ARGV[10], 'machine', id, 'region', region, 'address', ARGV[9], 'epoch', int(epoch),
    'granted', ARGV[10], 'waited', '0', 'confirm_by', ARGV[10], 'confirmed', int(NOW),
    'booted', booted, 'guacd', ARGV[10], 'rdp', ARGV[10], 't_confirm', ARGV[18],
    't_lease', ARGV[6], 't_max', ARGV[19], 't_key', ARGV[20],
    'max_until', int(num(ARGV[10]) + num(ARGV[19])))
  redis.call('ZADD', k('sessions'), int(epoch), sid)
  note('session.recognised', region, id, sid, epoch, 'its receipt')
  return true
end

if not f[1] then
  if what ~= 'renew' or not ARGV[7] or ARGV[7] == '' then return {'missing'} end
  if caller ~= '' and caller ~= ARGV[15] then return {'missing'} end
  if not recognise() then return {'over', 'lease_expired'} end
  f = redis.call('HMGET', s, 'stage', 'caller', 'ended', 'epoch', 'max_until', 'machine',
    'first_epoch', 'region')
end
if caller ~= '' and f[2] ~= caller then return {'missing'} end
if f[1] == 'ended' then return {'over', f[3]} end

if what == 'release' or what == 'fail' then
  local why = what == 'fail' and 'failed' or 'released'
  if what == 'fail' and f[6] then note('machine.blamed', f[8], f[6], sid, f[4], ARGV[5]) end
  if f[1] == 'waiting' then drop_waiter(sid) else finish(sid, why) end
  return {'over', why}
end
if f[1] == 'lost' then return {'lost', view(sid)} end
if f[1] == 'waiting' then return {'missing'} end
if what == 'renew' then
  -- After a replacement the gateway still says the old epoch, and hears of the new one here.
  local said, current = num(ARGV[5]), num(f[4])
  if said > current or said < num(f[7] or f[4]) then return {'stale', int(current)} end
end
local until_ms = int(math.min(NOW + num(ARGV[6]), num(f[5])))
if f[1] == 'granted' then
  redis.call('HSET', s, 'stage', 'connected')
  redis.call('HSETNX', s, 'confirmed', int(NOW))
  redis.call('HDEL', s, 'sealed')
  redis.call('HDEL', k('machine', f[6]), 'sealed')
  note('session.connected', f[8], f[6], sid, f[4], what)
elseif what == 'confirm' then
  return {'alive', view(sid)}
end
redis.call('HSET', s, 'lease_until', until_ms)
redis.call('ZADD', k('leases'), until_ms, sid)
return {'alive', view(sid)}
