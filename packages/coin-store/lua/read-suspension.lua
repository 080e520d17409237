-- The remaining duration of the pool's suspension.
--
-- KEYS[1]  prefix of the pool
-- Returns  ms, negative once it may be ended; nil when the pool is not suspended
local held = redis.call('GET', key('held'))
return held and tonumber(held) - now()
