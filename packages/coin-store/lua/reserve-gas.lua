-- Reserves coins for each of a burst of requests; one that finds none changes nothing.
--
-- A single coin of the smallest class that surely covers the budget is taken first in first out, so that coins rotate;
-- failing that, one among the first of the class that may cover it; only then several, the largest first, since all
-- but one of them are smashed.
--
-- KEYS[1]  prefix of the pool
-- ARGV[1]  index of the sponsor, 0 to 63
-- ARGV[2]  the most coins in one reservation
-- ARGV[3…] nine per request: caller, budget, class that surely covers it, class that may cover it, duration in ms; and
--          of the caller, '' for no limit: the most coins and the most budget at once, and in a minute
-- Returns  per request {reservation id, deadline in ms, coins (objectId:record,…)}, or false when there are no coins for
--          it, or {what is used up, ms until more can be had, 0 when that depends on what is given back}
--@include key
--@include now
--@include shift-totals
--@include caller-use

-- 2025-01-01 in ms; ids count 1/128 ms from there, times 64 for the sponsor's index: below 2^53 until 2059.
local ID_EPOCH = 1735689600000
local TICKS_PER_MS = 128
local SPONSORS = 64
local LOOK_AT = 16

local at = now()
local coinsKey = key('coins')
local classesKey = key('classes')
local last = tonumber(redis.call('GET', key('sequence')) or '0')

local function balanceOf(record)
  return tonumber(string.match(record, ':(%d+):%w+$'))
end

-- The first coin of the smallest class from `class` on.
local function takeFromClass(class)
  while true do
    local found = redis.call('ZRANGEBYSCORE', classesKey, class, '+inf', 'LIMIT', 0, 1)[1]
    if not found then
      return nil
    end
    local objectId = redis.call('LPOP', key('available:' .. found))
    if objectId then
      return objectId, redis.call('HGET', coinsKey, objectId)
    end
    redis.call('ZREM', classesKey, found)
  end
end

-- One of the first coins of a class only some of whose coins cover the budget.
local function takeCovering(class, budget)
  local list = key('available:' .. class)
  for _, objectId in ipairs(redis.call('LRANGE', list, 0, LOOK_AT - 1)) do
    local record = redis.call('HGET', coinsKey, objectId)
    if balanceOf(record) >= budget then
      redis.call('LREM', list, 1, objectId)
      return objectId, record
    end
  end
  return nil
end

-- Several coins, largest classes first, or nil when no `most` of them cover the budget.
local function takeSeveral(budget, most)
  local taken, coins, sum = {}, {}, 0
  for _, class in ipairs(redis.call('ZREVRANGE', classesKey, 0, -1)) do
    local list = key('available:' .. class)
    local count, ids = 0, nil
    while sum < budget and #coins < most do
      local place = count % LOOK_AT
      if place == 0 then
        ids = redis.call('LRANGE', list, count, count + LOOK_AT - 1)
      end
      local objectId = ids[place + 1]
      if not objectId then
        break
      end
      local record = redis.call('HGET', coinsKey, objectId)
      coins[#coins + 1] = objectId .. ':' .. record
      sum = sum + balanceOf(record)
      count = count + 1
    end
    taken[list] = count
    if sum >= budget or #coins == most then
      break
    end
  end
  if sum < budget then
    return nil
  end
  for list, count in pairs(taken) do
    if count > 0 then
      redis.call('LPOP', list, count)
    end
  end
  return table.concat(coins, ','), #coins, string.format('%.0f', sum)
end

local function choose(budget, sureClass, maybeClass, most)
  local objectId, record = takeFromClass(sureClass)
  if not objectId and maybeClass ~= sureClass then
    objectId, record = takeCovering(maybeClass, budget)
  end
  if objectId then
    return objectId .. ':' .. record, 1, string.match(record, ':(%d+):%w+$')
  end
  return takeSeveral(budget, most)
end

-- The most coins that a caller's limits leave for one request; or nil, what is used up and when there is more.
local function withinLimits(use, i, most)
  local budget = tonumber(ARGV[i + 1])
  local minuteEndsIn = string.format('%.0f', use.minute + MINUTE_MS - at)
  local function exceeds(used, limit)
    return ARGV[i + limit] ~= '' and used > tonumber(ARGV[i + limit])
  end
  if exceeds(use.budget + budget, 6) then
    return nil, 'budget', '0'
  elseif exceeds(use.coins + 1, 5) then
    return nil, 'coins', '0'
  elseif exceeds(use.minuteBudget + budget, 8) then
    return nil, 'budget-per-minute', minuteEndsIn
  elseif exceeds(use.minuteCoins + 1, 7) then
    return nil, 'coins-per-minute', minuteEndsIn
  end
  if ARGV[i + 5] ~= '' then
    most = math.min(most, tonumber(ARGV[i + 5]) - use.coins)
  end
  if ARGV[i + 7] ~= '' then
    most = math.min(most, tonumber(ARGV[i + 7]) - use.minuteCoins)
  end
  return most
end

local function isLimited(i)
  return ARGV[i + 5] ~= '' or ARGV[i + 6] ~= '' or ARGV[i + 7] ~= '' or ARGV[i + 8] ~= ''
end

local function countUse(reservation, use, i, count)
  local budget = tonumber(ARGV[i + 1])
  use.coins = use.coins + count
  use.budget = use.budget + budget
  use.minuteCoins = use.minuteCoins + count
  use.minuteBudget = use.minuteBudget + budget
  writeCallerUse(ARGV[i], use)
  redis.call('HSET', reservation, 'counted', 1)
end

local replies = {}
for i = 3, #ARGV, 9 do
  local most, usedUp, endsIn = tonumber(ARGV[2]), nil, nil
  local use = isLimited(i) and readCallerUse(ARGV[i], at)
  if use then
    most, usedUp, endsIn = withinLimits(use, i, most)
  end
  local coins, count, sum
  if most then
    coins, count, sum = choose(tonumber(ARGV[i + 1]), ARGV[i + 2], ARGV[i + 3], most)
  end
  if usedUp then
    replies[#replies + 1] = { usedUp, endsIn }
  elseif not coins then
    replies[#replies + 1] = false
  else
    last = math.max(last + 1, (at - ID_EPOCH) * TICKS_PER_MS)
    local id = string.format('%.0f', last * SPONSORS + tonumber(ARGV[1]))
    local deadline = string.format('%.0f', at + tonumber(ARGV[i + 4]))
    redis.call('HSET', key('reservation:' .. id), 'state', 'reserved', 'caller', ARGV[i], 'budget', ARGV[i + 1],
      'deadline', deadline, 'coins', coins, 'count', count, 'sum', sum, 'fence', 0, 'duration', ARGV[i + 4])
    if use then
      countUse(key('reservation:' .. id), use, i, count)
    end
    redis.call('ZADD', key('reserved'), deadline, id)
    shiftTotals('available', count, sum, -1)
    shiftTotals('reserved', count, sum, 1)
    replies[#replies + 1] = { id, deadline, coins }
  end
end
redis.call('SET', key('sequence'), string.format('%.0f', last))
flushTotals()
return replies
