-- How long the suspension of the pool still lasts.
--
-- KEYS[1]  prefix of the pool
-- Returns  ms, negative since it may be ended; nothing when the pool is not suspended
--@include key
--@include now
local held = redis.call('GET', key('held'))
return held and tonumber(held) - now()
