-- Reads the network of a pool.
--
-- KEYS[1]  prefix of the pool
-- Returns  the chain identifier; nil for a pool that does not exist
--@include key
return redis.call('GET', key('chain'))
