-- Takes a lock, or renews it for the one who holds it.
--
-- KEYS[1]  prefix of the pool
-- ARGV     name, owner, time to live in ms
-- Returns  1, or 0 when another owner has it
--@include key
local lock = key('lock:' .. ARGV[1])
local owner = redis.call('HGET', lock, 'owner')
if owner and owner ~= ARGV[2] then
  return 0
end
redis.call('HSET', lock, 'owner', ARGV[2])
redis.call('PEXPIRE', lock, ARGV[3])
return 1
