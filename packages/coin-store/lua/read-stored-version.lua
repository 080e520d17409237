-- Reads the format version of a stored pool.
--
-- KEYS[1]  prefix of the pool
-- Returns  the version; 1 for a pool without one, and for a pool that does not exist
--@include key
return tonumber(redis.call('GET', key('version')) or 1)
