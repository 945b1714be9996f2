-- Where a waiter stands.
-- ARGV 2 session 3 mark
-- Returns {waiting, ahead} {granted, session…} {superseded} {unheard}
local gone = lost()
if gone then return gone end
local sid = ARGV[2]
settle(sid)
local f = redis.call('HMGET', k('session', sid), 'stage', 'mark')
if not f[1] or f[1] == 'ended' then return {'unheard'} end
if f[2] ~= ARGV[3] then return {'superseded'} end
if f[1] == 'waiting' then return {'waiting', int(num(redis.call('ZRANK', k('waiters'), sid)))} end
return {'granted', view(sid)}
