-- Getting over lost data; the port Recovery tells the story. The only script that walks all
-- Machines of a pool or region, and it does so once per loss.
-- ARGV 4 state | replica | region
--   replica: 5 replica 6 peers (csv) 7… grants, 20 fields each, by epoch: over (1 or 0) id caller
--            key fingerprint machine region address epoch granted waited confirm_by booted guacd
--            rdp sealed t_confirm t_lease t_max t_key
--   region:  5 region 6 leader's epoch 7 tagged in use (csv)
--            8… remembered, each: id, state it had, since ms, epoch, field count, field, value, …
-- Returns {ready | recovering, generation, since, held until}
local what = ARGV[4]
-- Its own word, since a generation must never be named after a server that is no more.
SERVER = string.match(redis.call('INFO', 'replication'), 'master_replid:(%x+)')

-- Ready means: granting, and the book of every region that somebody leads is complete.
local function answer()
  local ready = G.open ~= '1'
  for _, region in ipairs(redis.call('SMEMBERS', k('led'))) do
    ready = ready and (redis.call('EXISTS', k('leader', region)) == 0
      or redis.call('SISMEMBER', k('generation', 'regions'), region) == 1)
  end
  return {ready and 'ready' or 'recovering', G.number, G.since, G.held}
end

-- A new generation. Its number is an epoch above every epoch ever given: the clock's microseconds.
local function open()
  local epoch = int(math.max(num(redis.call('GET', k('epoch'))) + 1, MICROS))
  redis.call('SET', k('epoch'), epoch)
  G = {number = epoch, server = SERVER, open = '1', since = STAMP, held = int(NOW + HOLD)}
  redis.call('HSET', k('generation'), 'number', G.number, 'server', SERVER, 'open', '1',
    'since', G.since, 'held', G.held)
  redis.call('DEL', k('generation', 'awaited'), k('generation', 'reported'),
    k('generation', 'regions'))
  for _, replica in ipairs(redis.call('ZRANGEBYSCORE', k('replicas'), int(NOW - REPLICA_KEPT),
    '+inf')) do
    redis.call('SADD', k('generation', 'awaited'), replica)
  end
  for _, region in ipairs(redis.call('SMEMBERS', k('led'))) do
    redis.call('DEL', k('leader', region))
  end
  -- Renewals may be among what was lost: no gateway was promised less than a lease from now.
  local grace = math.max(num(redis.call('HGET', k('watch'), 'grace')), NOW + HOLD * 3)
  redis.call('HSET', k('watch'), 'grace', int(grace))
  for _, region in ipairs(redis.call('SMEMBERS', k('regions'))) do
    for _, id in ipairs(redis.call('ZRANGE', k('machines', region), 0, -1)) do
      local m = machine(id)
      -- It may have been given away in what was lost.
      if m and m.state == 'warm' then
        off_shelf(m)
        redis.call('HSET', k('machine', id), 'state', 'proving', 'since', STAMP,
          'staged', has(m.sealed) and '1' or '0')
      end
    end
  end
  note('store.recovering', nil, nil, nil, nil, 'data may be missing')
end

local function look()
  G = look_at_generation()
  if not G or G.server ~= SERVER then open() else settle() end
end

if what == 'state' then
  look()
  return answer()
elseif what == 'replica' then
  look()
  redis.call('SADD', k('generation', 'reported'), ARGV[5])
  for peer in string.gmatch(ARGV[6], '[^,]+') do
    if not redis.call('ZSCORE', k('replicas', 'left'), peer) then
      redis.call('SADD', k('generation', 'awaited'), peer)
    end
  end
  local names = {'over', 'id', 'caller', 'key', 'fingerprint', 'machine', 'region', 'address', 'epoch',
    'granted', 'waited', 'confirm_by', 'booted', 'guacd', 'rdp', 'sealed', 't_confirm', 't_lease',
    't_max', 't_key'}
  for i = 7, #ARGV, #names do
    local g = {}
    for j, name in ipairs(names) do g[name] = ARGV[i + j - 1] end
    if g.over == '1' then over_before_the_loss(g) else recognise(g) end
  end
  settle()
  return answer()
end

local region = ARGV[5]
local gone = lost() or fenced(region, ARGV[6])
if gone then return gone end

local function keep_track(id, state)
  if state == 'unknown' then redis.call('ZADD', k('unknown'), STAMP, id)
  else redis.call('ZREM', k('unknown'), id) end
end

-- What the leader saw in its newest snapshot may be younger than what is left here.
local function is_younger(m, state, since, epoch)
  if m.state == 'condemned' then return false end
  if state == 'assigned' then return num(m.last_epoch) < epoch end
  -- A session that the store has is ended by its lease, not by what somebody remembers.
  return m.state ~= 'assigned' and since > num(m.changed)
end

-- As it was, but nothing is warm, and nothing is in use before a grant says so.
local DOUBTFUL = {warm = 'proving', proving = 'proving', assigned = 'unknown', unknown = 'unknown'}

local function remember(id, state, since, epoch, fields, settled)
  local m = machine(id)
  local doubtful = DOUBTFUL[state]
  for _, v in ipairs({'state', doubtful or state, 'since', doubtful and STAMP or since,
    'changed', since}) do
    fields[#fields + 1] = v
  end
  if not m then
    enter(id, region, fields)
    keep_track(id, doubtful or state)
    note('machine.remembered', region, id, nil, nil, 'its leader remembers it')
    return
  end
  redis.call('HSET', k('machine', id), unpack(settled))
  if not is_younger(m, state, num(since), num(epoch)) then return end
  supersede(m)
  redis.call('HDEL', k('machine', id), 'sealed', 'address', 'guacd', 'rdp')
  redis.call('HSET', k('machine', id), unpack(fields))
  keep_track(id, doubtful or state)
  note('machine.remembered', region, id, nil, nil, 'its leader remembers more of it')
end

-- Tagged as in use, and no grant explains it.
local function in_use(id)
  local m = machine(id)
  if not m then
    nameless(id, region)
  elseif m.state == 'provisioning' or m.state == 'proving' or m.state == 'warm'
    or m.state == 'parked' then
    if m.state == 'warm' then off_shelf(m) end
    redis.call('HSET', k('machine', id), 'state', 'unknown', 'since', STAMP)
    keep_track(id, 'unknown')
  else
    return
  end
  note('machine.unknown', region, id, nil, nil, 'tagged as in use, and no grant explains it')
end

if redis.call('SADD', k('generation', 'regions'), region) == 1 then
  local i = 8
  while i <= #ARGV do
    local count = num(ARGV[i + 4])
    local fields, settled = {}, {}
    for j = i + 5, i + 4 + count do fields[#fields + 1] = ARGV[j] end
    -- The first eight are name, template, sort and keep: they never change.
    for j = 1, 8 do settled[j] = fields[j] end
    remember(ARGV[i], ARGV[i + 1], ARGV[i + 2], ARGV[i + 3], fields, settled)
    i = i + 5 + count
  end
  for id in string.gmatch(ARGV[7], '[^,]+') do in_use(id) end
end
settle()
return answer()
