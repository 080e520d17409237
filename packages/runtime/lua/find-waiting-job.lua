-- Whether a worker would find a job. If not, clears the marker that wakes workers: BullMQ sets it for the
-- next job with each one that is taken, and only another job, added or become due, sets it again.
--
-- KEYS     BullMQ's 'wait' (list), 'prioritized', 'delayed' and 'marker' (sorted sets)
-- Returns  -1 if a job waits; otherwise the time at which the next delayed job is due, in ms since 1970; 0 if
--          no job is delayed.
local wait, prioritized, delayed, marker = unpack(KEYS)
if redis.call('LLEN', wait) > 0 or redis.call('ZCARD', prioritized) > 0 then
  return -1
end
redis.call('ZREM', marker, '0')
local first = redis.call('ZRANGE', delayed, 0, 0, 'WITHSCORES')[2]
-- The time is in the upper bits of the score.
return first and math.floor(tonumber(first) / 0x1000) or 0
