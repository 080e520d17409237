-- The watermark counts what a coin may be signed for: claims, and maintenance that was bound to its transaction. Whoever
-- remembers a higher one than Redis has knows that Redis has lost some (check-redis-restart.lua).
local function raiseWatermark()
  return redis.call('INCR', key('watermark'))
end
