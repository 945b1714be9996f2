-- SPDX-License-Identifier: Apache-2.0
-- Stands in front of every script: keys, time, and the steps that several scripts share.
-- KEYS[1]  what all keys of the pool start with, cb:{pool}; the others are built from it
-- ARGV[1]  the replication id of the server that the caller believes to talk to
-- A refusal of the whole call is an error reply: CB_LOST (the store lost data, or is another
-- server) or CB_FENCED (somebody else leads). Everything else is an answer.
local P = KEYS[1]
local SERVER = ARGV[1]
local TIME = redis.call('TIME')
local NOW = TIME[1] * 1000 + math.floor(TIME[2] / 1000)

-- How much one call may clear away; what is left waits for the next call.
local SWEEP_MAX = 100
local JOURNAL_MAX = 100000
local WAITS_KEPT = 128
local GRANTS_KEPT = 1000
-- Between two waiters with the same fair share the earlier one comes first.
local TURN = 1048576

local function k(...) return P .. ':' .. table.concat({...}, ':') end
local function int(n) return string.format('%.0f', n) end
local function num(v) return tonumber(v or '0') or 0 end
local function refuse(code, why) return redis.error_reply(code .. ' ' .. why) end

-- Is this the server, and are these the data, that the generation was made with?
local function lost()
  local server = redis.call('HGET', k('generation'), 'server')
  if server == SERVER then return nil end
  return refuse('CB_LOST', server and 'another server answers than before' or 'the store is empty')
end

-- The epoch of whoever leads the region; 0 when nobody does.
local function leading(region)
  local held = redis.call('GET', k('leader', region))
  return held and num(string.match(held, ' (%d+)$')) or 0
end

local function fenced(region, epoch)
  if leading(region) == num(epoch) then return nil end
  return refuse('CB_FENCED', 'epoch ' .. epoch .. ' no longer leads ' .. region)
end

local function note(kind, region, machine, session, epoch, why, ...)
  redis.call('XADD', k('journal'), 'MAXLEN', '~', JOURNAL_MAX, '*', 'at', int(NOW), 'kind', kind,
    'region', region or '', 'machine', machine or '', 'session', session or '',
    'epoch', epoch and int(num(epoch)) or '', 'why', why or '', ...)
end

-- Tells the replica that waits for this session, whichever it is.
local function tell(sid)
  redis.call('XADD', k('grants'), 'MAXLEN', '~', GRANTS_KEPT, '*', 'session', sid)
end

-- The shelf: warm, uncordoned Machines of a region and template; score = trusted until.
local function shelf(region, template) return k('warm', region, template) end

local function off_shelf(id, region, template)
  redis.call('ZREM', shelf(region, template), id)
end

local function is_cordoned(region, id)
  return redis.call('HEXISTS', k('marks', region), 'cordon') == 1
    or redis.call('SISMEMBER', k('cordoned', region), id) == 1
end

local function on_shelf(id, m)
  redis.call('ZADD', shelf(m.region, m.template), m.trusted, id)
end

local function machine(id)
  local f = redis.call('HMGET', k('machine', id), 'region', 'template', 'state', 'address', 'booted',
    'guacd', 'rdp', 'trusted', 'sealed', 'session', 'epoch')
  if not f[3] then return nil end
  return {region = f[1], template = f[2], state = f[3], address = f[4] or '', booted = f[5],
    guacd = f[6] or '0', rdp = f[7] or '0', trusted = f[8] or '0', sealed = f[9] or '',
    session = f[10] or '', epoch = f[11] or '0'}
end

local function set_state(id, m, state, ...)
  if m.state == 'warm' and state ~= 'warm' then off_shelf(id, m.region, m.template) end
  redis.call('HSET', k('machine', id), 'state', state, 'since', int(NOW), ...)
  note('machine.' .. state, m.region, id, nil, nil, m.state)
  m.state = state
end

-- Newest template first; in it the one proven longest ago whose proof is still trusted, and when
-- none is, the one whose proof is least old.
local function pick(region)
  if redis.call('HEXISTS', k('marks', region), 'cordon') == 1
    or redis.call('SISMEMBER', k('unreported'), region) == 1 then return nil end
  for _, version in ipairs(redis.call('ZREVRANGE', k('templates', region), 0, -1)) do
    local key = shelf(region, string.match(version, '\n(.*)$'))
    local found = redis.call('ZRANGEBYSCORE', key, '(' .. int(NOW), '+inf', 'LIMIT', 0, 1)
    if not found[1] then found = redis.call('ZREVRANGE', key, 0, 0) end
    if found[1] then return found[1] end
  end
  return nil
end

-- Machine and session become each other's, under a new epoch. The one place that assigns.
local function give(sid, id, m, waited)
  local s = k('session', sid)
  local epoch = redis.call('INCR', k('epoch'))
  local confirm_by = NOW + num(redis.call('HGET', s, 't_confirm'))
  set_state(id, m, 'assigned', 'session', sid, 'epoch', int(epoch))
  redis.call('HSET', s, 'stage', 'granted', 'machine', id, 'region', m.region,
    'address', m.address, 'epoch', int(epoch), 'granted', int(NOW), 'waited', int(waited),
    'confirm_by', int(confirm_by), 'lease_until', int(confirm_by), 'booted', m.booted,
    'guacd', m.guacd, 'rdp', m.rdp, 'sealed', m.sealed)
  redis.call('HSETNX', s, 'max_until', int(NOW + num(redis.call('HGET', s, 't_max'))))
  redis.call('HSETNX', s, 'first_epoch', int(epoch))
  redis.call('HDEL', s, 'deadline', 'lost')
  redis.call('ZADD', k('leases'), int(confirm_by), sid)
  redis.call('ZADD', k('sessions'), int(epoch), sid)
  redis.call('RPUSH', k('waits', m.region), int(NOW) .. ' ' .. int(waited))
  redis.call('LTRIM', k('waits', m.region), -WAITS_KEPT, -1)
  note('session.granted', m.region, id, sid, epoch, 'claimed', 'waited_ms', int(waited))
end

local function each_region(sid, visit)
  local regions = redis.call('HGET', k('session', sid), 'regions') or ''
  for region in string.gmatch(regions, '[^,]+') do visit(region) end
end

local function enqueue(sid, score)
  each_region(sid, function(region) redis.call('ZADD', k('waiters', region), score, sid) end)
  redis.call('ZADD', k('waiters'), score, sid)
end

local function dequeue(sid)
  each_region(sid, function(region) redis.call('ZREM', k('waiters', region), sid) end)
  redis.call('ZREM', k('waiters'), sid)
  if redis.call('ZCARD', k('waiters')) == 0 then redis.call('DEL', k('turns'), k('tenants')) end
end

-- Fair across tenants: a tenant's next waiter stands one turn behind its last one, but never
-- before the turn that is being served.
local function next_score(tenant)
  local turn = math.max(num(redis.call('HGET', k('turns'), 'served')),
    num(redis.call('HGET', k('tenants'), tenant))) + 1
  redis.call('HSET', k('tenants'), tenant, int(turn))
  local seq = redis.call('HINCRBY', k('turns'), 'seq', 1)
  return int(turn * TURN + seq % TURN)
end

local function forget_key(sid)
  local f = redis.call('HMGET', k('session', sid), 'caller', 'key')
  if f[1] then redis.call('DEL', k('idem', f[1], f[2])) end
end

-- A waiter that got nothing leaves no trace: its key may ask again.
local function drop_waiter(sid)
  dequeue(sid)
  forget_key(sid)
  redis.call('DEL', k('session', sid))
  redis.call('ZREM', k('leases'), sid)
end

-- Gives a free Machine to the first waiter that may have it; nil when there is none.
local function serve(id, m)
  for _ = 1, SWEEP_MAX do
    local first = redis.call('ZRANGE', k('waiters', m.region), 0, 0, 'WITHSCORES')
    local sid = first[1]
    if not sid then return nil end
    local f = redis.call('HMGET', k('session', sid), 'deadline', 'queued', 'stage')
    if f[1] and num(f[1]) > NOW then
      local served = math.floor(num(first[2]) / TURN)
      dequeue(sid)
      if served > num(redis.call('HGET', k('turns'), 'served'))
        and redis.call('EXISTS', k('turns')) == 1 then
        redis.call('HSET', k('turns'), 'served', int(served))
      end
      give(sid, id, m, NOW - num(f[2]))
      tell(sid)
      return sid
    end
    if f[3] == 'lost' then dequeue(sid) else drop_waiter(sid) end
  end
  return nil
end

-- The session is over. Its Machine is never free again before it has been wiped.
local function finish(sid, why)
  local s = k('session', sid)
  local f = redis.call('HMGET', s, 'machine', 'epoch', 'region', 't_key')
  if f[1] then
    local m = machine(f[1])
    if m and m.state == 'assigned' and m.session == sid then
      set_state(f[1], m, 'draining', 'cleaning', 'due', 'session', '')
      redis.call('HDEL', k('machine', f[1]), 'sealed')
    end
  end
  dequeue(sid)
  redis.call('HSET', s, 'stage', 'ended', 'ended', why)
  redis.call('HDEL', s, 'sealed')
  redis.call('PEXPIRE', s, math.max(num(f[4]), 1000))
  redis.call('ZREM', k('leases'), sid)
  redis.call('ZREM', k('sessions'), sid)
  note('session.ended', f[3], f[1], sid, f[2], why)
end

-- Ends a session whose time is over by this clock, whoever asks.
local function settle(sid)
  local due = redis.call('ZSCORE', k('leases'), sid)
  if not due or num(due) > NOW then return end
  local f = redis.call('HMGET', k('session', sid), 'stage', 'max_until')
  if f[1] == 'waiting' then drop_waiter(sid)
  elseif f[1] == 'granted' then finish(sid, 'not_confirmed')
  elseif f[1] == 'lost' then finish(sid, 'machine_lost')
  elseif f[1] == 'connected' then
    finish(sid, num(f[2]) <= NOW and 'max_duration' or 'lease_expired')
  else redis.call('ZREM', k('leases'), sid) end
end

local function view(sid) return redis.call('HGETALL', k('session', sid)) end
