-- Drains a sponsor: from now on its pool gives no reservation, and no coin is split or consolidated. What is reserved
-- already may still be used.
--
-- KEYS[1]  prefix of the pool
-- ARGV     why, by whom and since when, as the caller writes it
-- Returns  1
--@include key
redis.call('SET', key('drain'), ARGV[1])
return 1
