-- Reads the version of the form in which a pool is stored.
--
-- KEYS[1]  prefix of the pool
-- Returns  the version; 1 for a pool that has none, or that does not exist
--@include key
return tonumber(redis.call('GET', key('version')) or 1)
