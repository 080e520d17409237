-- Releases a lock, for its owner only.
--
-- KEYS[1]  prefix of the pool
-- ARGV     name, owner
-- Returns  1, or 0 when the owner does not hold it
--@include key
local lock = key('lock:' .. ARGV[1])
if redis.call('HGET', lock, 'owner') ~= ARGV[2] then
  return 0
end
return redis.call('DEL', lock)
