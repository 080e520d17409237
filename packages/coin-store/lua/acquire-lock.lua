-- Takes a lock, or renews it for the one who holds it.
--
-- KEYS[1]  prefix of the pool
-- ARGV     name, owner, time to live in ms
-- Returns  the holder's fencing number, or false when somebody else holds it
--@include key
local lock = key('lock:' .. ARGV[1])
local found = redis.call('HMGET', lock, 'owner', 'fence')
if found[1] and found[1] ~= ARGV[2] then
  return false
end
local fence = tonumber(found[2])
if not fence then
  fence = redis.call('INCR', key('fence:' .. ARGV[1]))
  redis.call('HSET', lock, 'owner', ARGV[2], 'fence', fence)
end
redis.call('PEXPIRE', lock, ARGV[3])
return fence
