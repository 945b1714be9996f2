-- Where a waiter stands, and how it leaves. Of grant, hang-up and deadline exactly one wins, here.
-- ARGV 4 look | hung_up | deadline 5 session 6 mark
-- Returns {waiting, ahead} {granted, session…} {left} {taken, machine} {superseded} {unheard}
-- Keeps: a Machine goes back to warm only when nothing was delivered.
local gone = lost()
if gone then return gone end
local what = ARGV[4]
local s = session(ARGV[5])
if not s then return {'unheard'} end
if s.stage == 'ended' then return {s.ended == 'withdrawn' and 'left' or 'unheard'} end
if s.mark ~= ARGV[6] then return {'superseded'} end
local in_queue = redis.call('HEXISTS', k('session', s.id), 'place') == 1
if s.stage == 'lost' and not in_queue then return {'unheard'} end
if s.stage == 'waiting' or s.stage == 'lost' then
  if what == 'look' then return {'waiting', int(ahead(s.id))} end
  -- A session that waits for another Machine is not its call's to give up.
  if s.stage == 'waiting' then
    withdraw(s, what == 'hung_up' and 'its caller hung up' or 'its time is over')
  end
  return {'left'}
end
if what ~= 'hung_up' then return {'granted', view(s)} end
-- Of several calls another one may have delivered it. If nobody did, nobody will confirm.
if may_be_delivered(s) then return {'superseded'} end
local m = withdraw(s, 'its caller hung up')
if not m then return {'left'} end
offer(m)
return {'taken', m.id}
