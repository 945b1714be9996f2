-- Getting over lost data. See the port Recovery for the story.
-- ARGV 2 state | replica | region
--   state:   3 held for ms
--   replica: 3 replica 4 held for ms 5 peers (csv) 6… grants, 20 fields each (see below)
--   region:  3 region 4 leader's epoch 5 unknown kept for ms 6 tagged in use (csv)
--            7… remembered: id, template's sort key, field count, field, value, …
-- Returns {ready | recovering, generation, since, held until}
local function answer()
  local g = redis.call('HMGET', k('generation'), 'state', 'number', 'since', 'held_until')
  return {g[1], g[2], g[3] or '0', g[4] or '0'}
end

-- Nothing is granted from here on. Warm Machines are proving again, since a lost grant may have
-- taken them; the clock in microseconds is above every epoch ever given.
local function begin(held_for)
  local number = num(redis.call('HGET', k('generation'), 'number')) + 1
  redis.call('HSET', k('generation'), 'number', int(number), 'server', SERVER,
    'state', 'recovering', 'since', int(NOW), 'held_until', int(NOW + held_for))
  redis.call('DEL', k('reported'), k('peers'))
  redis.call('SUNIONSTORE', k('unreported'), k('regions'))
  local epoch = math.max(num(redis.call('GET', k('epoch'))), TIME[1] * 1000000 + TIME[2])
  redis.call('SET', k('epoch'), int(epoch))
  note('store.recovering', nil, nil, nil, epoch, 'generation ' .. int(number))
end

-- Machines are cleared off the shelf by region, when its leader reports; until then nothing of the
-- region is picked or proven.
local function clear_shelf(region)
  for _, version in ipairs(redis.call('ZRANGE', k('templates', region), 0, -1)) do
    local key = shelf(region, string.match(version, '\n(.*)$'))
    for _, id in ipairs(redis.call('ZRANGE', key, 0, -1)) do
      local m = machine(id)
      if m and m.state == 'warm' then set_state(id, m, 'proving') end
    end
    redis.call('DEL', key)
  end
end

local function all_reported()
  for _, replica in ipairs(redis.call('SMEMBERS', k('peers'))) do
    if redis.call('SISMEMBER', k('reported'), replica) == 0 then return false end
  end
  local since = num(redis.call('HGET', k('generation'), 'since'))
  for _, replica in ipairs(redis.call('ZRANGEBYSCORE', k('replicas'), int(since - 60000),
    int(since))) do
    if redis.call('SISMEMBER', k('reported'), replica) == 0 then return false end
  end
  return true
end

local function maybe_ready()
  local g = redis.call('HMGET', k('generation'), 'state', 'held_until')
  if g[1] == 'ready' or redis.call('SCARD', k('reported')) == 0 then return end
  if not all_reported() and num(g[2]) > NOW then return end
  redis.call('HSET', k('generation'), 'state', 'ready')
  note('store.ready', nil, nil, nil, nil, 'all have reported, or their time is over')
end

-- A grant that a live replica remembers: true unless its Machine has had a newer one since.
-- session caller tenant key fingerprint machine region address epoch granted waited confirm_by
-- booted guacd rdp regions confirm lease max key-kept
local function put_back(i)
  local sid, id, epoch = ARGV[i], ARGV[i + 5], num(ARGV[i + 8])
  local s = k('session', sid)
  local known = redis.call('HMGET', s, 'stage', 'epoch')
  if known[1] == 'ended' or (known[1] and num(known[2]) >= epoch) then return end
  local m = machine(id)
  if m and num(m.epoch) > epoch then return end
  if m and m.state == 'assigned' and m.session ~= sid and m.session ~= '' then
    finish(m.session, 'lease_expired')
    m = machine(id)
  end
  if not m then
    m = {region = ARGV[i + 6], template = '0', state = 'unknown'}
    redis.call('HSET', k('machine', id), 'region', m.region, 'template', '0', 'name', id,
      'keep', 'always', 'booted', ARGV[i + 12], 'address', ARGV[i + 7], 'state', 'unknown',
      'since', int(NOW))
    redis.call('ZADD', k('machines', m.region), 0, id)
  end
  set_state(id, m, 'assigned', 'session', sid, 'epoch', int(epoch), 'booted', ARGV[i + 12])
  local lease = num(ARGV[i + 17])
  redis.call('HSET', s, 'id', sid, 'caller', ARGV[i + 1], 'tenant', ARGV[i + 2],
    'key', ARGV[i + 3], 'fingerprint', ARGV[i + 4], 'stage', 'granted', 'mark', 'report',
    'regions', ARGV[i + 15], 'queued', ARGV[i + 9], 'machine', id, 'region', m.region,
    'address', ARGV[i + 7], 'epoch', int(epoch), 'first_epoch', int(epoch),
    'granted', ARGV[i + 9], 'waited', ARGV[i + 10], 'confirm_by', ARGV[i + 11],
    'lease_until', int(NOW + lease), 'booted', ARGV[i + 12], 'guacd', ARGV[i + 13],
    'rdp', ARGV[i + 14], 't_confirm', ARGV[i + 16], 't_lease', ARGV[i + 17],
    't_max', ARGV[i + 18], 't_key', ARGV[i + 19],
    'max_until', int(num(ARGV[i + 9]) + num(ARGV[i + 18])))
  redis.call('ZADD', k('leases'), int(NOW + lease), sid)
  redis.call('ZADD', k('sessions'), int(epoch), sid)
  local idem = k('idem', ARGV[i + 1], ARGV[i + 3])
  redis.call('HSET', idem, 'session', sid, 'fingerprint', ARGV[i + 4])
  redis.call('PEXPIRE', idem, math.max(num(ARGV[i + 19]), 1000))
  note('session.recognised', m.region, id, sid, epoch, 'a replica remembers it')
end

local what = ARGV[2]
local server = redis.call('HGET', k('generation'), 'server')
if what == 'state' then
  if server ~= SERVER then begin(num(ARGV[3])) end
  maybe_ready()
  return answer()
elseif what == 'replica' then
  if server ~= SERVER then begin(num(ARGV[4])) end
  redis.call('SADD', k('reported'), ARGV[3])
  for peer in string.gmatch(ARGV[5], '[^,]+') do redis.call('SADD', k('peers'), peer) end
  for i = 6, #ARGV, 20 do put_back(i) end
  maybe_ready()
  return answer()
end

local region = ARGV[3]
local gone = lost() or fenced(region, ARGV[4])
if gone then return gone end
local i = 7
while i <= #ARGV do
  local id, version, count = ARGV[i], ARGV[i + 1], num(ARGV[i + 2])
  if redis.call('EXISTS', k('machine', id)) == 0 then
    local fields = {}
    for j = i + 3, i + 2 + count do fields[#fields + 1] = ARGV[j] end
    redis.call('HSET', k('machine', id), 'region', region, 'since', int(NOW), unpack(fields))
    redis.call('ZADD', k('machines', region), 0, id)
    redis.call('ZADD', k('templates', region), 0, version)
    if redis.call('HGET', k('machine', id), 'state') == 'unknown' then
      redis.call('ZADD', k('leases'), int(NOW + num(ARGV[5])), 'm:' .. id)
    end
    note('machine.remembered', region, id, nil, nil, 'its leader remembers it')
  end
  i = i + 3 + count
end
clear_shelf(region)
for id in string.gmatch(ARGV[6], '[^,]+') do
  local m = machine(id)
  if m and (m.state == 'proving' or m.state == 'provisioning' or m.state == 'parked') then
    set_state(id, m, 'unknown')
    redis.call('ZADD', k('leases'), int(NOW + num(ARGV[5])), 'm:' .. id)
  end
end
redis.call('SREM', k('unreported'), region)
maybe_ready()
return answer()
