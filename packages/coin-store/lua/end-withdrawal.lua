-- Ends the ordered withdrawal: its amount has left, or the remaining coins are not worth their gas.
--
-- KEYS[1]  prefix of the pool
-- ARGV     the required address of the withdrawal, its required amount ('': all funds)
-- Returns  1, or 0 when no such withdrawal is under way, or an operation still has coins
local to, amount = unpack(ARGV)
local ordered = redis.call('HMGET', key('withdrawal'), amount == '' and 'to' or 'receiver', 'amount', 'ended')
if ordered[1] ~= to or (ordered[2] or '') ~= amount or ordered[3] ~= '' or
  redis.call('ZCARD', key('maintenance')) > 0 then
  return 0
end
redis.call('HSET', key('withdrawal'), 'ended', decimal(now()))
return 1
