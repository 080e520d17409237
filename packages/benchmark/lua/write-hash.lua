-- The least a script can do: one write. What it costs is the price of calling a script at all.
--
-- KEYS[1]  a hash
-- ARGV     field, value
return redis.call('HSET', KEYS[1], ARGV[1], ARGV[2])
