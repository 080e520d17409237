-- The state of counters of limits.
--
-- KEYS[1]  prefix of the pool
-- ARGV     two lists: names of counters; checks that hold nothing (includes/hold-usage.lua), of a transaction
--          that is refused if a budget has no room for it: such a budget is announced as used up
-- Returns  for each counter {the used amount, the remaining time of its window in ms (0: no window has
--          begun)}; and the thresholds that were announced (includes/thresholds.lua)
local counters, checks = takeList(), takeRecords(9)
local usages = {}
for _, counter in ipairs(counters) do
  local usage = key('usage:' .. counter)
  usages[#usages + 1] = { redis.call('HGET', usage, 'used') or '0', math.max(redis.call('PTTL', usage), 0) }
end
if #checks > 0 then
  holdUsage(checks, now())
end
return { usages, reached }
