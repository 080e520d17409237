-- The counters of a pool.
--
-- KEYS[1]  prefix of the pool
-- Returns  flat pairs: name, value
return readCounters()
