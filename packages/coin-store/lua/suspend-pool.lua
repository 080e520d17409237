-- Suspends a pool with missing keys, like one whose Redis has lost writes (check-redis-restart.lua).
--
-- KEYS[1]  prefix of the pool
-- ARGV     the length of the suspension in ms
-- Returns  1, or 0 when the pool is suspended already
if redis.call('EXISTS', key('held')) == 1 then
  return 0
end
redis.call('SET', key('held'), decimal(now() + tonumber(ARGV[1])))
-- The missing keys are not remembered by a witness.
redis.call('SADD', key('awaited'), '*')
noteLoss()
return 1
