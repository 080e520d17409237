-- Marks a new pool with its network, or reads the network of an existing one; records the version of the
-- stored format.
--
-- KEYS[1]  prefix of the pool
-- ARGV     chain identifier, the format version that the caller writes, the newest that it reads, duration in
--          ms of the suspension of a new pool (0: none), the most entries of its history ('': the caller
--          keeps none)
-- Returns  {the chain identifier of the pool, its stored format version}; a pool of another network, or of a
--          version that the caller does not read, is left unchanged
local callersChain, written, readable, suspendMs = ARGV[1], tonumber(ARGV[2]), tonumber(ARGV[3]), tonumber(ARGV[4])
local backlog = ARGV[5]
if redis.call('SET', key('chain'), callersChain, 'NX') and suspendMs > 0 then
  redis.call('SET', key('held'), decimal(now() + suspendMs))
  noteLoss()
end
local chain, stored = redis.call('GET', key('chain')), tonumber(redis.call('GET', key('version')) or 1)
if chain == callersChain and stored <= readable then
  stored = math.max(stored, written)
  redis.call('SET', key('version'), stored)
  beginHistory(redis.call('GET', key('history-backlog')), backlog)
end
return { chain, stored }
