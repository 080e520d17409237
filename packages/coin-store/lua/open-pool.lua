-- Marks a new pool with its network, or reads which network it belongs to.
--
-- KEYS[1]  prefix of the pool
-- ARGV     chain identifier, for how many ms the pool is suspended if it is new (0: it is not)
-- Returns  the chain identifier the pool belongs to
--@include key
--@include now
if redis.call('SET', key('chain'), ARGV[1], 'NX') and ARGV[2] ~= '0' then
  redis.call('SET', key('held'), string.format('%.0f', now() + tonumber(ARGV[2])))
end
return redis.call('GET', key('chain'))
