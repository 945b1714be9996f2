-- What a gateway says about its session.
-- ARGV 4 confirm | renew | release | fail 5 session 6 caller ('' for an operator)
--      7 epoch (renew) or reason (fail) 8 confirm ms 9 lease ms 10 max ms 11 key kept ms
--      12… the receipt, for renew: caller key fingerprint machine region address epoch granted
--      waited confirm_by booted guacd rdp; for fail: epoch, '1' if the grant was delivered
-- Returns {alive, session…} {lost, session…} {over, why} {stale, epoch} {missing}
-- Keeps: a session that is over stays over; a lease is ended by expire.lua alone, until then the
-- Machine is still the session's and a late renewal does no harm; a Machine that came after the
-- blamed one goes on, and so does a grant that another call with the same key may have delivered.
local gone = lost()
if gone then return gone end
local what, sid, caller = ARGV[4], ARGV[5], ARGV[6]
local t_confirm, t_lease, t_max, t_key = num(ARGV[8]), num(ARGV[9]), num(ARGV[10]), num(ARGV[11])
local s = session(sid)
local somebody_elses = s and caller ~= '' and s.caller ~= caller
if somebody_elses then s = nil end

-- Does the receipt tell of a grant that this store does not have?
local has_receipt = what == 'renew' and ARGV[12] and (caller == '' or caller == ARGV[12])
if has_receipt and not somebody_elses
  and (not s or (s.stage ~= 'ended' and num(s.epoch) < num(ARGV[18]))) then
  local outcome = recognise({id = sid, caller = ARGV[12], key = ARGV[13], fingerprint = ARGV[14],
    machine = ARGV[15], region = ARGV[16], address = ARGV[17], epoch = ARGV[18],
    granted = ARGV[19], waited = ARGV[20], confirm_by = ARGV[21], booted = ARGV[22],
    guacd = ARGV[23], rdp = ARGV[24], sealed = '', t_confirm = ARGV[8], t_lease = ARGV[9],
    t_max = ARGV[10], t_key = ARGV[11]})
  if outcome == 'taken' then return {'over', 'machine_lost'} end
  s = session(sid)
end
if not s then
  -- While data is missing, "not found" would be a lie that ends a living session.
  if not somebody_elses and G.open == '1' then
    return refuse('CB_LOST', 'the store is being rebuilt; ask again in a second')
  end
  return {'missing'}
end

local function over() return {'over', has(s.ended) and s.ended or 'released'} end

if what == 'release' or what == 'fail' then
  if s.stage == 'waiting' then
    withdraw(s, 'its gateway is done')
  elseif s.stage ~= 'ended' then
    if what == 'fail' then
      if num(ARGV[12]) ~= num(s.epoch) then return {'stale', s.epoch} end
      if ARGV[13] ~= '1' and may_be_delivered(s) then return {'alive', view(s)} end
    end
    local why = what == 'fail' and 'failed' or 'released'
    finish(s, why, t_key, what == 'fail' and ARGV[7] or 'its gateway is done')
    if what == 'fail' and ARGV[13] ~= '1' then free_key(s) end
  end
  return over()
end
if s.stage == 'waiting' then return {'missing'} end
if s.stage == 'lost' then return {'lost', view(s)} end
if s.stage == 'ended' then return over() end

local max_until = num(has(s.started) and s.started or s.waiting_since) + t_max
local function extend(ms) due(s, math.min(NOW + ms, max_until)) end

local function connected()
  if s.stage == 'granted' then
    set(s, 'stage', 'connected', 'untold', '', 'sealed', '',
      'confirmed', has(s.confirmed) and s.confirmed or STAMP)
    local m = held(s)
    if m then redis.call('HDEL', k('machine', m.id), 'sealed') end
    say('connected', s, 'its gateway is connected')
  end
  extend(t_lease)
  return {'alive', view(s)}
end

if what == 'confirm' then
  -- Of a Machine that replaced another one it says nothing: the caller may mean the one before.
  if s.stage == 'connected' or has(s.untold) then return {'alive', view(s)} end
  return connected()
end
if NOW >= max_until then
  finish(s, 'max_duration', t_key, 'it lasted as long as a session may')
  return over()
end
if num(ARGV[7]) == num(s.epoch) then return connected() end
-- After a replacement the gateway says the old epoch once more, and hears of the new one here.
if not has(s.untold) or num(ARGV[7]) > num(s.epoch) then return {'stale', s.epoch} end
extend(t_confirm)
return {'alive', view(s)}
