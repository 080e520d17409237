-- Reserves coins for each of a burst of requests; one that finds none changes nothing.
--
-- A single coin of the smallest class that surely covers the budget is taken first in first out, so that coins rotate;
-- failing that, one among the first of the class that may cover it; only then several, the largest first, since all
-- but one of them are smashed.
--
-- KEYS[1]  prefix of the pool
-- ARGV[1]  index of the sponsor, 0 to 63
-- ARGV[2]  the most coins in one reservation
-- ARGV[3…] five per request: caller, budget, class that surely covers it, class that may cover it, duration in ms
-- Returns  per request either false or {reservation id, deadline in ms, coins (objectId:record,…)}
--@include key
--@include now
--@include shift-totals

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
    local count = 0
    for _, objectId in ipairs(redis.call('LRANGE', list, 0, most - #coins - 1)) do
      if sum >= budget or #coins == most then
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

local replies = {}
for i = 3, #ARGV, 5 do
  local coins, count, sum = choose(tonumber(ARGV[i + 1]), ARGV[i + 2], ARGV[i + 3], tonumber(ARGV[2]))
  if not coins then
    replies[#replies + 1] = false
  else
    last = math.max(last + 1, (at - ID_EPOCH) * TICKS_PER_MS)
    local id = string.format('%.0f', last * SPONSORS + tonumber(ARGV[1]))
    local deadline = string.format('%.0f', at + tonumber(ARGV[i + 4]))
    redis.call('HSET', key('reservation:' .. id), 'state', 'reserved', 'caller', ARGV[i], 'budget', ARGV[i + 1],
      'deadline', deadline, 'coins', coins, 'count', count, 'sum', sum, 'fence', 0)
    redis.call('ZADD', key('reserved'), deadline, id)
    shiftTotals('available', count, sum, -1)
    shiftTotals('reserved', count, sum, 1)
    replies[#replies + 1] = { id, deadline, coins }
  end
end
redis.call('SET', key('sequence'), string.format('%.0f', last))
flushTotals()
return replies
