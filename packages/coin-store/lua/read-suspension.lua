-- For how long the pool's coins are held back yet.
--
-- KEYS[1]  prefix of the pool
-- Returns  ms, 0 when the time is over, -1 when they are not held back
--@include key
--@include now
local held = redis.call('GET', key('held'))
if not held then
  return -1
end
return math.max(0, tonumber(held) - now())
