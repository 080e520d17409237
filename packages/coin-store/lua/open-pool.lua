-- Marks a new pool with its network, or reads which network it belongs to; records the version of the stored form.
--
-- KEYS[1]  prefix of the pool
-- ARGV     chain identifier, the version of the form that the caller writes, the newest that it reads, for how many ms the
--          pool is suspended if it is new (0: it is not)
-- Returns  {the chain identifier the pool belongs to, the version of the form that is stored}; a pool of another network,
--          or of a version that the caller does not read, is left as it is
--@include key
--@include now
if redis.call('SET', key('chain'), ARGV[1], 'NX') and ARGV[4] ~= '0' then
  redis.call('SET', key('held'), string.format('%.0f', now() + tonumber(ARGV[4])))
end
local chain, stored = redis.call('GET', key('chain')), tonumber(redis.call('GET', key('version')) or 1)
if chain == ARGV[1] and stored <= tonumber(ARGV[3]) then
  stored = math.max(stored, tonumber(ARGV[2]))
  redis.call('SET', key('version'), stored)
end
return { chain, stored }
