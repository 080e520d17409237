-- The Redis commands that the settlement of a transaction with one coin needs, and no others (compare
-- commands-of-reservations.lua).
--
-- KEYS[1]  prefix
-- ARGV     reservation id, the coin after the transaction, the gas charged, the outcome retention in ms
local id, coin, gas = ARGV[1], ARGV[2], ARGV[3]
local function key(name)
  return KEYS[1] .. name
end
local reservation = redis.call('GET', key('reservation:' .. id))
redis.call('ZREM', key('reserved'), id)
redis.call('RPUSH', key('coins'), coin)
redis.call('DEL', key('payload:' .. id))
redis.call('HINCRBY', key('totals'), 'funds', gas)
redis.call('HINCRBY', key('totals'), 'gasCharged', gas)
redis.call('SET', key('reservation:' .. id), 'executed' .. string.sub(reservation, 1, 40), 'PX', ARGV[4])
return id
