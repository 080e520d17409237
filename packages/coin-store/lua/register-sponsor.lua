-- Assigns a sponsor its index, which never changes: reservation ids contain it.
--
-- KEYS[1]  the hash of sponsors: address -> index
-- ARGV     address, largest number of sponsors
-- Returns  the index, or false when all indexes are taken
local index = redis.call('HGET', KEYS[1], ARGV[1])
if index then
  return tonumber(index)
end
local next = redis.call('HLEN', KEYS[1])
if next >= tonumber(ARGV[2]) then
  return false
end
redis.call('HSET', KEYS[1], ARGV[1], next)
return next
