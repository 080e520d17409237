-- Drains a sponsor: its pool gives no further reservation, and no coin is split or consolidated. Existing reservations
-- may still be used.
--
-- KEYS[1]  prefix of the pool
-- ARGV     reason, operator and time, in the caller's format
-- Returns  1
--@include key
redis.call('SET', key('drain'), ARGV[1])
return 1
