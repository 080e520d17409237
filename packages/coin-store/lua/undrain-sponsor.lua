-- Ends a drain: the pool gives reservations again. A withdrawal that is under way takes no more coins.
--
-- KEYS[1]  prefix of the pool
-- Returns  1, or 0 when the sponsor was not drained
endOrder()
return redis.call('DEL', key('drain'))
