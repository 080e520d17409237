-- The state of counters of limits.
--
-- KEYS[1]  prefix of the pool
-- ARGV     names of counters
-- Returns  for each {the used amount, the remaining time of its window in ms (0: no window has begun)}
local usages = {}
for _, counter in ipairs(ARGV) do
  local usage = key('usage:' .. counter)
  usages[#usages + 1] = { redis.call('HGET', usage, 'used') or '0', math.max(redis.call('PTTL', usage), 0) }
end
return usages
