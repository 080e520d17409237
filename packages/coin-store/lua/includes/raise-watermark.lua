-- The watermark counts the signings that a coin is bound for: claims, and maintenance bound to its transaction. A
-- process that remembers a higher one than Redis has detects that Redis has lost some (check-redis-restart.lua).
local function raiseWatermark()
  return redis.call('INCR', key('watermark'))
end
