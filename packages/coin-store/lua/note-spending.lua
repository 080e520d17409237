-- Notes how much gas the pool has paid in total and how many coins it has, so that later spending can be computed. A note
-- too soon after the last one changes nothing.
--
-- KEYS[1]  prefix of the pool
-- ARGV     least time between two notes in ms, how many notes are kept
-- Returns  1 when a note was made, otherwise 0
local leastMs, kept = tonumber(ARGV[1]), tonumber(ARGV[2])
local spending = key('spending')
local at = now()
local newest = redis.call('ZRANGE', spending, -1, -1, 'WITHSCORES')[2]
if newest and tonumber(newest) > at - leastMs then
  return 0
end
local charged = redis.call('HGET', key('totals'), 'gasCharged') or '0'
local noted = decimal(at)
redis.call('ZADD', spending, noted, noted .. '|' .. charged .. '|' .. redis.call('SCARD', key('coins')))
redis.call('ZREMRANGEBYRANK', spending, 0, -kept - 1)
return 1
