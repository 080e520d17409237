-- Ends a drain: the pool gives reservations again. A withdrawal that is under way takes no more coins.
--
-- KEYS[1]  prefix of the pool
-- Returns  1, or 0 when the sponsor was not drained
if redis.call('HGET', key('withdrawal'), 'ended') == '' then
  redis.call('HSET', key('withdrawal'), 'ended', decimal(now()))
end
return redis.call('DEL', key('drain'))
