-- Reserves coins for each of a burst of requests; a request without coins changes nothing.
--
-- A single coin of the smallest class that surely covers the budget is taken, first in first out, so that coins rotate;
-- otherwise one of the first coins of the class that may cover it; only then several, the largest first, since all
-- but one of them are smashed.
--
-- KEYS[1]  prefix of the pool
-- ARGV[1]  index of the sponsor, 0 to 63
-- ARGV[2]  the most coins in one reservation
-- ARGV[3…] seven per request: caller, budget, class that surely covers it, class that may cover it, duration in ms,
--          the caller's limits: '' for none, otherwise coins|budget|coins a minute|budget a minute|share in percent
--          of the coins that no other caller holds, each '' for none; and the limits of all users of its token together
-- Returns  per request {reservation id, deadline in ms, coins (coin,…)}, or false when there are no coins for it, or
--          {the reached limit, ms until it allows more, 0 when that depends on returned coins}; or, for all of them,
--          {'drained', the drain (drain-sponsor.lua)}
--@include key
--@include now
--@include classes
--@include take-several
--@include all-users
--@include caller-use
--@include within-limits

-- 2025-01-01 in ms; ids count 1/128 ms from there, times 64 for the sponsor's index: below 2^53 until 2059.
local ID_EPOCH = 1735689600000
local TICKS_PER_MS = 128
local SPONSORS = 64
local REQUEST_FIELDS = 7
local LOOK_AT = 16

local at = now()
local stored = redis.call('MGET', key('sequence'), key('classes'), key('drain'))
local last = math.floor((stored[1] or 0) / SPONSORS)
local classes = stored[2] or ''
if stored[3] then
  return { 'drained', stored[3] }
end

-- Number of consecutive requests, from ARGV[i] on, that each surely take a coin of the same class.
local function countAlike(i)
  local class, count = ARGV[i + 2], 1
  while ARGV[i + REQUEST_FIELDS + 2] == class do
    i = i + REQUEST_FIELDS
    count = count + 1
  end
  return count
end

-- Coins taken in advance for the next requests, the next of them last; the class that they came from and the class
-- that these requests need.
local ahead, aheadClass, aheadNeed = {}, nil, nil

-- Coins that a request did not get because of its caller's limits return to the head of their list.
local function returnAhead()
  for _, coin in ipairs(ahead) do
    if redis.call('LPUSH', key('available:' .. aheadClass), coin) == 1 then
      redis.call('SETRANGE', key('classes'), aheadClass, '1')
    end
  end
  ahead = {}
end

-- The first coin of the smallest class that surely covers the request at ARGV[i].
local function takeSure(i)
  if aheadNeed ~= ARGV[i + 2] then
    returnAhead()
  elseif #ahead > 0 then
    return table.remove(ahead)
  end
  local found = string.find(classes, '1', ARGV[i + 2] + 1, true)
  while found do
    local list = key('available:' .. found - 1)
    local wanted = countAlike(i)
    local coins = redis.call('LPOP', list, wanted == 1 and '1' or wanted)
    if coins then
      aheadClass, aheadNeed = found - 1, ARGV[i + 2]
      for place = #coins, 2, -1 do
        ahead[#ahead + 1] = coins[place]
      end
      return coins[1]
    end
    redis.call('SETRANGE', key('classes'), found - 1, '0')
    classes = string.sub(classes, 1, found - 1) .. '0' .. string.sub(classes, found + 1)
    found = string.find(classes, '1', found + 1, true)
  end
  return nil
end

-- One of the first coins of a class only some of whose coins cover the budget.
local function takeCovering(class, budget)
  local list = key('available:' .. class)
  for _, coin in ipairs(redis.call('LRANGE', list, 0, LOOK_AT - 1)) do
    if tonumber(string.match(coin, '^%d+')) >= budget then
      redis.call('LREM', list, 1, coin)
      return coin
    end
  end
  return nil
end

-- Coins, their number and their sum; nil when there are none; nil and true when it would take more than the caller may
-- have.
local function choose(i, callersMost)
  local coin = takeSure(i)
  if not coin and ARGV[i + 3] ~= ARGV[i + 2] then
    coin = takeCovering(ARGV[i + 3], tonumber(ARGV[i + 1]))
  end
  if coin then
    return coin, '1', string.match(coin, '^%d+')
  end
  return takeSeveral(classes, tonumber(ARGV[i + 1]), tonumber(ARGV[2]), callersMost)
end

-- Number of available coins, and of all coins that the pool sponsors with. Transactions in flight count as one coin
-- each, though a few are paid with several: the exact number would take a step for each of them.
local freeCoins, servingCoins
local function countCoins()
  if not freeCoins then
    local totals = redis.call('HMGET', key('totals'), 'reserved:further', 'maintenance:coins')
    servingCoins = redis.call('SCARD', key('coins')) - redis.call('LLEN', key('dust')) -
      redis.call('ZCARD', key('treasury')) - (totals[2] or 0)
    freeCoins = servingCoins - (totals[1] or 0)
    for _, state in ipairs({ 'reserved', 'claimed', 'executing', 'quarantined' }) do
      freeCoins = freeCoins - redis.call('ZCARD', key(state))
    end
  end
  return freeCoins, servingCoins
end

-- Usage of each caller of this burst, and of all users of its token.
local uses = {}
local function useOf(caller)
  uses[caller] = uses[caller] or readCallerUse(caller, at)
  return uses[caller]
end

-- Prefix of the name of a limit of all users of the caller's token.
local TOGETHER = 'all users: '

-- Applies `withinLimits` to the caller and to all users of its token; also returns their usages.
local function withinAllLimits(caller, budget, limits, usersLimits)
  local counted = { useOf(caller) }
  local most, name, endsIn = withinLimits(counted[1], budget, limits, at, countCoins)
  local users = allUsersOf(caller)
  if not users then
    return counted, most, name, endsIn
  end
  counted[2] = useOf(users)
  if most and usersLimits ~= '' then
    local usersMost, usersName, usersEndsIn = withinLimits(counted[2], budget, usersLimits, at, countCoins)
    if not usersMost or usersMost < most then
      return counted, usersMost, usersName == SCARCE and SCARCE or TOGETHER .. usersName, usersEndsIn
    end
  end
  return counted, most, name, endsIn
end

local reservations, deadlines, replies = { 'MSET' }, { 'ZADD', key('reserved') }, {}
-- Amounts to add to the totals; sums of this few digits add up exactly, and larger ones are added at once.
local SMALL_SUM = 13
local balance, further = 0, 0
local id, lasting, deadline
for i = 3, #ARGV, REQUEST_FIELDS do
  local caller, budget, duration, limits = ARGV[i], ARGV[i + 1], ARGV[i + 4], ARGV[i + 5]
  local counted, most, limit, endsIn = nil, math.huge, nil, nil
  if limits ~= '' then
    counted, most, limit, endsIn = withinAllLimits(caller, tonumber(budget), limits, ARGV[i + 6])
  end
  local coins, count, sum
  if most then
    coins, count, sum = choose(i, most)
  end
  if (not most or (not coins and count)) and limit ~= SCARCE then
    replies[#replies + 1] = { limit, endsIn }
  elseif not coins then
    replies[#replies + 1] = false
  else
    last = math.max(last + 1, (at - ID_EPOCH) * TICKS_PER_MS)
    id = string.format('%.0f', last * SPONSORS + ARGV[1])
    if duration ~= lasting then
      lasting, deadline = duration, string.format('%.0f', at + duration)
    end
    if freeCoins then
      freeCoins = freeCoins - count
    end
    for _, use in ipairs(counted or {}) do
      countUse(use, tonumber(budget), tonumber(count))
    end
    -- As includes/reservation.lua reads it.
    reservations[#reservations + 1] = key('reservation:' .. id)
    reservations[#reservations + 1] = 'reserved\t0\t\n' .. caller .. '\t' .. budget .. '\t' .. deadline .. '\t' .. duration ..
      '\t' .. count .. '\t' .. sum .. '\t' .. (counted and '1' or '') .. '\t' .. coins .. '\n\n\n'
    deadlines[#deadlines + 1] = deadline
    deadlines[#deadlines + 1] = id
    further = further + count - 1
    if #sum <= SMALL_SUM then
      balance = balance + sum
    else
      redis.call('HINCRBY', key('totals'), 'reserved:balance', sum)
    end
    replies[#replies + 1] = { id, deadline, coins }
  end
end
returnAhead()
if #reservations > 1 then
  for caller, use in pairs(uses) do
    if use.isChanged then
      writeCallerUse(caller, use)
    end
  end
  reservations[#reservations + 1] = key('sequence')
  reservations[#reservations + 1] = id
  redis.call(unpack(reservations))
  redis.call(unpack(deadlines))
  redis.call('HINCRBY', key('totals'), 'reserved:balance', string.format('%.0f', balance))
  if further > 0 then
    redis.call('HINCRBY', key('totals'), 'reserved:further', string.format('%.0f', further))
  end
end
return replies
