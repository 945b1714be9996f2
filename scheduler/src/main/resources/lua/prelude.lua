-- SPDX-License-Identifier: Apache-2.0
-- Stands in front of every script: keys, time, and the steps that several scripts share. The
-- in-memory store (adapter.memory) is the same in Java, part by part, and easier to read.
-- KEYS[1]  what all keys of the pool start with, cb:{pool}; the others are built from it
-- ARGV[1]  the replication id of the server that the caller believes to talk to
-- ARGV[2]  the generation that the caller works with; '' for one that has not looked yet
-- ARGV[3]  the store's rules: hold, withdrawn kept, replica kept (ms), guacd trust, rdp trust (ms),
--          expire most, waits kept, journal max
-- A refusal of the whole call is an error reply: CB_LOST (data was lost, or is being rebuilt) or
-- CB_FENCED (somebody else leads). Everything else is an answer.
local P, SERVER, BELIEF = KEYS[1], ARGV[1], ARGV[2]
local TIME = redis.call('TIME')
local NOW = TIME[1] * 1000 + math.floor(TIME[2] / 1000)
local MICROS = TIME[1] * 1000000 + TIME[2]
-- As text: a script needs few of them, and Lua makes numbers of them where it reckons.
local HOLD, WITHDRAWN_KEPT, REPLICA_KEPT, GUACD_TRUST, RDP_TRUST, EXPIRE_MOST, WAITS_KEPT,
  JOURNAL_MAX = string.match(ARGV[3], '(%d+) (%d+) (%d+) (%d+) (%d+) (%d+) (%d+) (%d+)')
local GRANTS_KEPT = 1000
-- Lost sessions come before everybody who has not had a Machine yet.
local FIRST_OF_ALL = 0

-- Called a dozen times by every script, so it makes no table.
local function k(a, b, c)
  if c then return P .. ':' .. a .. ':' .. b .. ':' .. c end
  if b then return P .. ':' .. a .. ':' .. b end
  return P .. ':' .. a
end
local function int(n) return string.format('%.0f', n) end
local STAMP = int(NOW)
local function num(v) return tonumber(v or '0') or 0 end
local function refuse(code, why) return redis.error_reply(code .. ' ' .. why) end
local function has(v) return v and v ~= '' end

local function note(kind, region, machine, session, epoch, why, ...)
  redis.call('XADD', k('journal'), 'MAXLEN', '~', JOURNAL_MAX, '*', 'at', STAMP, 'kind', kind,
    'region', region or '', 'machine', machine or '', 'session', session or '',
    'epoch', has(epoch) and int(num(epoch)) or '', 'why', why or '', ...)
end

-- Tells the replica that waits for this session, whichever it is.
local function tell(sid)
  redis.call('XADD', k('grants'), 'MAXLEN', '~', GRANTS_KEPT, '*', 'session', sid)
end

-- Machines -------------------------------------------------------------------------------------

local MACHINE = {'region', 'template', 'state', 'address', 'booted', 'guacd', 'rdp', 'sealed',
  'session', 'epoch', 'last_epoch', 'sort', 'since', 'changed', 'name', 'keep'}

local function machine(id)
  local f = redis.call('HMGET', k('machine', id), unpack(MACHINE))
  if not f[3] then return nil end
  local m = {id = id}
  for i, name in ipairs(MACHINE) do m[name] = f[i] or '' end
  return m
end

-- Goes there in the ordinary course; further fields with it.
local function become(m, state, ...)
  redis.call('HSET', k('machine', m.id), 'state', state, 'since', STAMP, 'changed', STAMP, ...)
  m.state = state
end

-- A new name in the book. What is not said is not known.
local function enter(id, region, fields)
  redis.call('HSET', k('machine', id), 'region', region, unpack(fields))
  redis.call('ZADD', k('machines', region), 0, id)
  redis.call('SADD', k('regions'), region)
  return machine(id)
end

-- The shelf ------------------------------------------------------------------------------------
-- warm:<region> holds the templates on it, each led by a text that sorts as versions do;
-- warm:<region>:<template> holds the Machines, scored by the moment their proof runs out.

local function shelf(m) return k('warm', m.region, m.template) end
local function off_shelf(m) return redis.call('ZREM', shelf(m), m.id) end

local function trusted_until(m)
  return math.min(num(m.guacd) + GUACD_TRUST, num(m.rdp) + RDP_TRUST)
end

local function on_shelf(m)
  redis.call('ZADD', k('warm', m.region), 0, m.sort)
  redis.call('ZADD', shelf(m), int(trusted_until(m)), m.id)
end

-- Is nothing of this region given out?
local function is_closed(region)
  local marks = redis.call('SMISMEMBER', k('marks', region), 'cordon', 'drain')
  return marks[1] == 1 or marks[2] == 1
end

-- Is this very Machine kept back?
local function is_kept_back(m)
  local marks = redis.call('SMISMEMBER', k('marks', m.region), 'cordon:' .. m.id, 'drain:' .. m.id)
  return marks[1] == 1 or marks[2] == 1
end

-- The newest template's proof that runs out first, of those that have not run out; when all have,
-- the newest template's youngest.
local function best(region)
  local templates = redis.call('ZREVRANGE', k('warm', region), 0, -1)
  local stale
  for _, sorted in ipairs(templates) do
    local key = k('warm', region, string.match(sorted, '\n(.*)$'))
    local found = redis.call('ZRANGEBYSCORE', key, '(' .. STAMP, '+inf', 'LIMIT', 0, 1)
    if found[1] then return found[1] end
    if not stale then
      stale = redis.call('ZREVRANGE', key, 0, 0)[1]
      if not stale then redis.call('ZREM', k('warm', region), sorted) end
    end
  end
  return stale
end

-- The queue ------------------------------------------------------------------------------------
-- Start-time fair queueing: tags are scores; the arrival number leads the member, so that of equal
-- tags the earlier one comes first.

local function join(sid, tenant, regions, tag)
  local number = redis.call('HINCRBY', k('waiters', 'served'), '#arrivals', 1)
  local place = string.format('%015.0f:%s', number, sid)
  redis.call('ZADD', k('waiters'), tag, place)
  redis.call('ZADD', k('waiters', 'tenant', tenant), tag, place)
  for region in string.gmatch(regions, '[^,]+') do
    redis.call('ZADD', k('waiters', 'region', region), tag, place)
  end
  redis.call('HSET', k('session', sid), 'place', place, 'tag', int(tag))
  return place
end

-- Behind its tenant's newest, but never before the turn that is being served.
local function next_tag(tenant)
  local served = redis.call('HMGET', k('waiters', 'served'), '#time', 'tenant:' .. tenant)
  local newest = redis.call('ZREVRANGE', k('waiters', 'tenant', tenant), 0, 0, 'WITHSCORES')
  return math.max(num(served[1]), num(served[2]), num(newest[2])) + 1
end

local function take_out(sid)
  local f = redis.call('HMGET', k('session', sid), 'place', 'tenant', 'regions', 'tag')
  if not has(f[1]) then return nil end
  redis.call('ZREM', k('waiters'), f[1])
  redis.call('ZREM', k('waiters', 'tenant', f[2]), f[1])
  for region in string.gmatch(f[3], '[^,]+') do
    redis.call('ZREM', k('waiters', 'region', region), f[1])
  end
  redis.call('HDEL', k('session', sid), 'place', 'tag')
  -- Nobody waits, so nobody can be treated unfairly.
  local left = redis.call('ZCARD', k('waiters'))
  if left == 0 then redis.call('DEL', k('waiters', 'served')) end
  return f, left
end

local function serve_from_queue(sid)
  local f, left = take_out(sid)
  if not f or left == 0 then return end
  local tag, served = num(f[4]), k('waiters', 'served')
  local known = redis.call('HMGET', served, 'tenant:' .. f[2], '#time')
  redis.call('HSET', served, 'tenant:' .. f[2], int(math.max(tag, num(known[1]))))
  local front = redis.call('ZRANGEBYSCORE', k('waiters'), '1', '+inf', 'WITHSCORES', 'LIMIT', 0, 1)
  local reached = front[2] and math.min(tag, num(front[2])) or tag
  redis.call('HSET', served, '#time', int(math.max(reached, num(known[2]))))
end

local function ahead(sid)
  local place = redis.call('HGET', k('session', sid), 'place')
  return has(place) and num(redis.call('ZRANK', k('waiters'), place)) or 0
end

-- Sessions -------------------------------------------------------------------------------------

local SESSION = {'id', 'caller', 'tenant', 'key', 'fingerprint', 'stage', 'mark', 'regions',
  'waiting_since', 'due', 'started', 'confirmed', 'lost', 'ended', 'untold', 'shared', 'machine', 'region',
  'address', 'epoch', 'granted', 'waited', 'confirm_by', 'booted', 'guacd', 'rdp', 'sealed',
  't_confirm', 't_lease', 't_max', 't_key'}

local function session(sid)
  local f = redis.call('HMGET', k('session', sid), unpack(SESSION))
  if not f[1] then return nil end
  local s = {}
  for i, name in ipairs(SESSION) do s[name] = f[i] or '' end
  return s
end

local function view(s)
  local flat = {}
  for _, name in ipairs(SESSION) do
    if s[name] and s[name] ~= '' then
      flat[#flat + 1] = name
      flat[#flat + 1] = s[name]
    end
  end
  return flat
end

-- Writes what changed, and remembers it.
local function set(s, ...)
  local fields = {...}
  for i = 1, #fields, 2 do s[fields[i]] = fields[i + 1] end
  redis.call('HSET', k('session', s.id), ...)
end

-- When somebody has to look, by what it waits for now.
local function due(s, at)
  set(s, 'due', int(at))
  local mine = s.stage == 'waiting' and 'waiters:due' or 'leases'
  local other = s.stage == 'waiting' and 'leases' or 'waiters:due'
  redis.call('ZADD', k(mine), int(at), s.id)
  redis.call('ZREM', k(other), s.id)
end

local function idem(caller, key) return k('idem', caller, key) end

local function keep_key(s, ms)
  redis.call('SET', idem(s.caller, s.key), s.id .. ' ' .. s.fingerprint, 'PX', int(math.max(ms, 1)))
end

local function say(kind, s, why, ...)
  local region = has(s.region) and s.region or string.match(s.regions, '[^,]+')
  note('session.' .. kind, region, s.machine, s.id, s.epoch, why, ...)
end

-- The Machine that a session holds, by the Machine's own word.
local function held(s)
  if not has(s.machine) then return nil end
  local m = machine(s.machine)
  local holds = m and m.state == 'assigned' and m.session == s.id and num(m.epoch) == num(s.epoch)
  return holds and m or nil
end

local function close(s, why, kept)
  take_out(s.id)
  set(s, 'stage', 'ended', 'ended', why, 'sealed', '')
  redis.call('ZREM', k('leases'), s.id)
  redis.call('ZREM', k('waiters', 'due'), s.id)
  redis.call('ZREM', k('live'), s.id)
  redis.call('PEXPIRE', k('session', s.id), int(math.max(kept, 1)))
end

-- Over. Its key is spent; its Machine is drained and never serves again without a wipe.
local function finish(s, why, kept, detail)
  local m = held(s)
  close(s, why, kept)
  if m then become(m, 'draining', 'cleaning', 'due', 'sealed', '', 'session', '') end
  say('ended', s, detail, 'ended', why)
end

-- Once connected, or once it had another Machine before, something was delivered; and of several
-- calls with its key another one may have delivered it.
local function may_be_delivered(s)
  return s.stage ~= 'granted' or has(s.untold) or has(s.confirmed) or has(s.shared)
end

-- Nothing was delivered under its key: whoever asks with it again begins anew.
local function free_key(s)
  local known = redis.call('GET', idem(s.caller, s.key))
  if known and string.match(known, '^(%S+)') == s.id then redis.call('DEL', idem(s.caller, s.key)) end
end

-- It goes without anything having been delivered: the key is free, a Machine is warm again.
local function withdraw(s, why)
  local m = held(s)
  close(s, 'withdrawn', WITHDRAWN_KEPT)
  free_key(s)
  say('withdrawn', s, why)
  if m then become(m, 'warm', 'session', '') end
  return m
end

-- Granting -------------------------------------------------------------------------------------

local G  -- the generation, once looked at
local function is_granting() return G and G.open ~= '1' end

-- Machine and session become each other's, under a new epoch: the one place where that happens.
-- fresh: the fields of a session that is not written yet, or nil.
local function grant(s, m, t_confirm, t_max, fresh)
  local epoch = int(redis.call('INCR', k('epoch')))
  local replaces = has(s.started)
  local confirm_by = NOW + num(t_confirm)
  -- A gateway hears of a replacement on its next renew, so it has its lease to do so.
  if replaces and num(s.due) > confirm_by then confirm_by = num(s.due) end
  local waited = NOW - num(s.waiting_since)
  local started = replaces and num(s.started) or NOW
  if not fresh then serve_from_queue(s.id) end
  s.stage = 'granted'
  s.due = int(math.min(confirm_by, started + num(t_max)))
  set(s, 'stage', 'granted', 'machine', m.id, 'region', m.region, 'address', m.address,
    'epoch', epoch, 'granted', STAMP, 'waited', int(waited), 'confirm_by', int(confirm_by),
    'booted', m.booted, 'guacd', m.guacd, 'rdp', m.rdp, 'sealed', m.sealed, 'lost', '',
    'untold', replaces and '1' or '', 'started', int(started), 'due', s.due,
    unpack(fresh or {}))
  redis.call('ZADD', k('leases'), s.due, s.id)
  if not fresh then redis.call('ZREM', k('waiters', 'due'), s.id) end
  off_shelf(m)
  become(m, 'assigned', 'session', s.id, 'epoch', epoch, 'last_epoch', epoch)
  if not replaces then
    redis.call('RPUSH', k('waits', m.region), STAMP .. ' ' .. int(waited))
    if num(epoch) % 16 == 0 then redis.call('LTRIM', k('waits', m.region), -WAITS_KEPT, -1) end
  end
  say(replaces and 'replaced' or 'granted', s, 'a Machine was free', 'waited_ms', int(waited))
end

-- Who is served next from this region; those too late are shown out on the way.
local function first_waiter(region)
  if not is_granting() or is_closed(region) then return nil end
  while true do
    local place = redis.call('ZRANGE', k('waiters', 'region', region), 0, 0)[1]
    if not place then return nil end
    local s = session(string.match(place, ':(.*)$'))
    if not s then
      redis.call('ZREM', k('waiters', 'region', region), place)
      redis.call('ZREM', k('waiters'), place)
    elseif s.stage == 'waiting' and num(s.due) <= NOW then
      withdraw(s, 'its time in the queue is over')
    else
      return s
    end
  end
end

-- A warm Machine is free: the first waiter that may have it gets it, else it goes on the shelf.
local function offer(m, t_confirm, t_max)
  if is_kept_back(m) then return nil end
  local s = first_waiter(m.region)
  if not s then
    on_shelf(m)
    return nil
  end
  grant(s, m, t_confirm or s.t_confirm, t_max or s.t_max)
  tell(s.id)
  return s
end

-- A region is open again: its shelf goes to those who wait for it.
local function serve_from(region)
  while first_waiter(region) do
    local id = best(region)
    if not id then return end
    local m = machine(id)
    off_shelf(m)
    offer(m)
  end
end

-- Belief ---------------------------------------------------------------------------------------

local GENERATION = {'number', 'server', 'open', 'since', 'held'}

local function look_at_generation()
  local f = redis.call('HMGET', k('generation'), unpack(GENERATION))
  if not f[1] then return nil end
  local g = {}
  for i, name in ipairs(GENERATION) do g[name] = f[i] or '' end
  return g
end

local function all_reported()
  local reported = redis.call('SCARD', k('generation', 'reported'))
  return reported > 0
    and #redis.call('SDIFF', k('generation', 'awaited'), k('generation', 'reported')) == 0
end

-- Granting goes on when all have reported, or when the time for it is over.
local function settle()
  if G.open ~= '1' or not (num(G.held) <= NOW or all_reported()) then return end
  G.open = '0'
  redis.call('HSET', k('generation'), 'open', '0')
  note('store.ready', nil, nil, nil, nil, 'the replicas have said what they remember')
  for _, region in ipairs(redis.call('SMEMBERS', k('regions'))) do serve_from(region) end
end

-- Is this the server, and are these the data, that the caller knows?
local function lost()
  G = look_at_generation()
  if not G then return refuse('CB_LOST', 'the store is empty; look at its state first') end
  if G.server ~= SERVER then return refuse('CB_LOST', 'another server answers; look at its state') end
  if BELIEF ~= '' and BELIEF ~= G.number then
    return refuse('CB_LOST', 'the store has been rebuilt since; report what you remember')
  end
  settle()
  return nil
end

local function fenced(region, epoch)
  local leader = redis.call('GET', k('leader', region))
  if leader and string.match(leader, ' (%d+)$') == epoch then return nil end
  return refuse('CB_FENCED', 'somebody else leads ' .. region)
end

-- The book of a region is complete once its leader has reported.
local function unreported(region)
  if redis.call('SISMEMBER', k('generation', 'regions'), region) == 1 then return nil end
  return refuse('CB_LOST', 'the leader of ' .. region .. ' has not reported yet')
end

local function may_write(region, epoch)
  return lost() or fenced(region, epoch) or unreported(region)
end

-- After lost data --------------------------------------------------------------------------------
-- Puts back a grant that the store has lost, told by the replica that made it or by the receipt of
-- the gateway that has it. Of two grants of one Machine the one with the higher epoch is true.

local function nameless(id, region)
  local m = enter(id, region, {'template', '0', 'sort', '\n0', 'name', id, 'keep', 'always', 'booted',
    '0', 'state', 'unknown', 'since', STAMP, 'changed', '0'})
  redis.call('ZADD', k('unknown'), STAMP, id)
  return m
end

-- Whoever the store still takes for a Machine's user is gone since.
local function supersede(m)
  if m.state ~= 'assigned' then return end
  local other = session(m.session)
  if not other or other.stage == 'ended' then return end
  finish(other, 'machine_lost', num(other.t_key), 'its Machine was given to another session since')
  m.state = 'draining'
end

local function is_still_its_own(m, g)
  if num(m.last_epoch) >= num(g.epoch) or num(m.booted) > num(g.booted) then return false end
  if m.state == 'condemned' then return false end
  -- Taken out of service after this grant was made: then the grant is over.
  if m.state == 'provisioning' or m.state == 'draining' or m.state == 'parked' then
    return num(m.changed) <= num(g.granted)
  end
  return true
end

-- No more is known than that a grant is over: a later one of its Machine may yet be told.
local function drain(m, granted)
  off_shelf(m)
  redis.call('ZREM', k('unknown'), m.id)
  redis.call('HSET', k('machine', m.id), 'state', 'draining', 'since', STAMP,
    'changed', granted, 'cleaning', 'due', 'sealed', '', 'session', '')
  m.state = 'draining'
end

-- g: session caller key fingerprint machine region address epoch granted waited confirm_by booted
-- guacd rdp sealed, and the default terms. Returns put_back, known, not_lost or taken.
local function recognise(g)
  local s = session(g.id)
  if s and (num(s.epoch) >= num(g.epoch) or s.stage == 'ended') then return 'known' end
  if num(g.epoch) > num(G.number) then return 'not_lost' end
  local m = machine(g.machine)
  if m and not is_still_its_own(m, g) then return 'taken' end
  if not m then m = nameless(g.machine, g.region) end
  supersede(m)
  local had = s and has(s.machine)
  if s then
    local old = held(s)
    if old then drain(old, s.granted) end
    take_out(s.id)
  else
    s = {id = g.id, stage = 'granted', regions = g.region}
    set(s, 'id', g.id, 'caller', g.caller, 'tenant', g.caller, 'key', g.key,
      'fingerprint', g.fingerprint, 'mark', '', 'regions', g.region,
      'waiting_since', int(num(g.granted) - num(g.waited)), 'started', g.granted,
      't_confirm', g.t_confirm, 't_lease', g.t_lease, 't_max', g.t_max, 't_key', g.t_key)
    redis.call('ZADD', k('live'), int(MICROS), s.id)
  end
  off_shelf(m)
  redis.call('ZREM', k('unknown'), m.id)
  become(m, 'assigned', 'session', s.id, 'epoch', g.epoch, 'last_epoch', g.epoch,
    'booted', g.booted, 'address', g.address, 'guacd', g.guacd, 'rdp', g.rdp, 'sealed', g.sealed)
  s.stage = 'granted'
  set(s, 'stage', 'granted', 'machine', m.id, 'region', m.region, 'address', g.address,
    'epoch', g.epoch, 'granted', g.granted, 'waited', g.waited, 'confirm_by', g.confirm_by,
    'booted', g.booted, 'guacd', g.guacd, 'rdp', g.rdp, 'sealed', g.sealed, 'lost', '',
    'untold', had and '1' or '')
  if not has(s.started) then set(s, 'started', g.granted) end
  due(s, NOW + HOLD * 3)
  if has(s.key) and redis.call('EXISTS', idem(s.caller, s.key)) == 0 then
    keep_key(s, num(s.t_key))
  end
  say('recognised', s, 'the store had lost it')
  return 'put_back'
end

-- Its session ended in what was lost: the Machine must be wiped before it serves again, and who
-- still takes the session for alive is wrong.
local function over_before_the_loss(g)
  local s = session(g.id)
  if s and s.stage ~= 'ended' and num(g.epoch) >= num(s.epoch) then
    local held_one = held(s)
    if held_one then drain(held_one, g.granted) end
    finish(s, 'released', num(s.t_key), 'it ended before the loss')
  end
  local m = machine(g.machine)
  if m and (not is_still_its_own(m, g) or m.state == 'assigned') then return end
  if not m then m = nameless(g.machine, g.region) end
  redis.call('HSET', k('machine', m.id), 'last_epoch', g.epoch)
  drain(m, g.granted)
  note('machine.unclaimed', m.region, m.id, nil, nil, 'its session ended before the loss')
end
