-- Marks a new pool with its network, or reads which network it belongs to.
--
-- KEYS[1]  prefix of the pool
-- ARGV     chain identifier
-- Returns  the chain identifier the pool belongs to
--@include key
redis.call('SET', key('chain'), ARGV[1], 'NX')
return redis.call('GET', key('chain'))
