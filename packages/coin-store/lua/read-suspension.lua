-- How long the suspension of the pool still lasts.
--
-- KEYS[1]  prefix of the pool
-- Returns  ms, 0 when it may be ended, -1 when the pool is not suspended
--@include key
--@include now
local held = redis.call('GET', key('held'))
if not held then
  return -1
end
return math.max(0, tonumber(held) - now())
