-- Notes how much gas the pool has paid in total, how many coins it has, and how many its transactions have
-- made less those they have smashed, so that later spending can be computed. A note too soon after the last
-- one changes nothing.
--
-- KEYS[1]  prefix of the pool
-- ARGV     least time between two notes in ms, how many notes are kept
-- Returns  1 when a note was made, otherwise 0
local leastMs, kept = tonumber(ARGV[1]), tonumber(ARGV[2])
local spending = key('spending')
local nowMs = now()
local newest = redis.call('ZRANGE', spending, -1, -1, 'WITHSCORES')[2]
if newest and tonumber(newest) > nowMs - leastMs then
  return 0
end
local charged, made, smashed = unpack(redis.call('HMGET', key('totals'), 'gasCharged', 'made', 'smashed'))
local noted = decimal(nowMs)
local numbers = { noted, charged or '0', redis.call('SCARD', key('coins')), decimal((made or 0) - (smashed or 0)) }
redis.call('ZADD', spending, noted, table.concat(numbers, '|'))
redis.call('ZREMRANGEBYRANK', spending, 0, -kept - 1)
return 1
