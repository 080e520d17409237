-- Ends the ordered withdrawal: the remaining coins are not worth their gas.
--
-- KEYS[1]  prefix of the pool
-- ARGV     the required address of the withdrawal
-- Returns  1, or 0 when no such withdrawal is under way, or an operation still has coins
local to = ARGV[1]
local ordered = redis.call('HMGET', key('withdrawal'), 'to', 'ended')
if ordered[1] ~= to or ordered[2] ~= '' or redis.call('ZCARD', key('maintenance')) > 0 then
  return 0
end
redis.call('HSET', key('withdrawal'), 'ended', decimal(now()))
return 1
