-- Acquires a lock, or renews it for its owner.
--
-- KEYS[1]  prefix of the pool
-- ARGV     name, owner, time to live in ms
-- Returns  the owner's fence, or false when another owner holds the lock
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
