-- Takes inputs whose transactions have ended, and whose locks are to be deleted (includes/unlock-inputs.lua).
--
-- KEYS[1]  prefix of the pool
-- ARGV     the most to take
-- Returns  for each: objectId:version, reservation id, digest and fence, separated by tabs
--@include key
return redis.call('LPOP', key('unlocked'), ARGV[1]) or {}
