-- The limits of the callers of a burst of requests.
local uses = {}
local freeCoins, servingCoins

-- Number of available coins, and of all coins that the pool sponsors with. Transactions in flight count as
-- one coin each, though a few are paid with several: the exact number would take a step for each of them.
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

-- Name in place of a limit's: the caller gets no more because others hold most of the pool.
local SCARCE = 'scarce'

-- The unused reservations that still count: each minute forgives as many as it allows.
local function forgiveUnused(use, perMinute)
  if use.minutesPassed > 0 then
    use.unused = math.max(0, use.unused - (perMinute or math.huge) * use.minutesPassed)
    use.minutesPassed = 0
  end
  return use.unused
end

-- The most coins that a caller's limits leave for a request, the deciding limit and the time at which it
-- allows more (0: when coins are returned); or nil and the same.
local function withinLimits(use, budget, limits, nowMs)
  local minuteEndsIn = decimal(use.minute + MINUTE_MS - nowMs)
  local coins, budgets, minuteCoins, minuteBudgets, share, unused =
    string.match(limits, '^(%d*)|(%d*)|(%d*)|(%d*)|(%d*)|(%d*)$')
  local function exceeds(used, limit)
    return limit ~= '' and used > tonumber(limit)
  end
  if exceeds(use.budget + budget, budgets) then
    return nil, 'budget', '0'
  elseif exceeds(use.coins + 1, coins) then
    return nil, 'coins', '0'
  elseif exceeds(use.minuteBudget + budget, minuteBudgets) then
    return nil, 'budget-per-minute', minuteEndsIn
  elseif exceeds(use.minuteCoins + 1, minuteCoins) then
    return nil, 'coins-per-minute', minuteEndsIn
  elseif exceeds(forgiveUnused(use, tonumber(unused)) + 1, unused) then
    return nil, 'unused-per-minute', minuteEndsIn
  end
  local most, name, endsIn = math.huge, nil, '0'
  local function leave(limit, used, itsName, itsEnd)
    if limit - used < most then
      most, name, endsIn = limit - used, itsName, itsEnd
    end
  end
  if coins ~= '' then
    leave(tonumber(coins), use.coins, 'coins', '0')
  end
  if minuteCoins ~= '' then
    leave(tonumber(minuteCoins), use.minuteCoins, 'coins-per-minute', minuteEndsIn)
  end
  if share ~= '' then
    -- A share of the coins that others do not hold: however many callers take all they can, some coins remain
    -- for the next, and a caller without coins may have one. A caller with less than its share of the whole
    -- pool is not at its limit: others have too many.
    local free, serving = countCoins()
    local ofRest = math.max(1, math.floor((free + use.coins) * share / 100))
    local ofPool = math.floor(serving * share / 100)
    local isScarce = ofRest < ofPool and use.coins < ofPool
    leave(ofRest, use.coins, isScarce and SCARCE or 'pool-share', '0')
  end
  if most < 1 then
    return nil, name, endsIn
  end
  return most, name, endsIn
end

-- The use of one caller in this burst.
local function useOf(caller, nowMs)
  uses[caller] = uses[caller] or readCallerUse(caller, nowMs)
  return uses[caller]
end

-- Applies `withinLimits` to the caller and to all users of its token; also returns their uses.
local function withinAllLimits(caller, budget, limits, usersLimits, nowMs)
  local counted = { useOf(caller, nowMs) }
  local most, name, endsIn = withinLimits(counted[1], budget, limits, nowMs)
  local users = allUsersOf(caller)
  if not users then
    return counted, most, name, endsIn
  end
  counted[2] = useOf(users, nowMs)
  if most and usersLimits ~= '' then
    local usersMost, usersName, usersEndsIn = withinLimits(counted[2], budget, usersLimits, nowMs)
    if not usersMost or usersMost < most then
      return counted, usersMost, usersName == SCARCE and SCARCE or 'all users: ' .. usersName, usersEndsIn
    end
  end
  return counted, most, name, endsIn
end

-- Counts reserved coins. `counted`: the uses that they belong to; nil for a caller without limits.
local function countReserved(counted, budget, count)
  if freeCoins then
    freeCoins = freeCoins - count
  end
  if counted then
    for _, use in ipairs(counted) do
      use.isChanged = true
      use.coins = use.coins + count
      use.budget = use.budget + budget
      use.minuteCoins = use.minuteCoins + count
      use.minuteBudget = use.minuteBudget + budget
    end
  end
end

-- Stores the changed uses. The others are not stored: a caller without reservations would be remembered
-- forever.
local function writeUses()
  for caller, use in pairs(uses) do
    if use.isChanged then
      redis.call('HSET', key('caller:' .. caller), 'coins', decimal(use.coins), 'budget', decimal(use.budget),
        'minute', decimal(use.minute), 'minuteCoins', decimal(use.minuteCoins), 'minuteBudget', decimal(use.minuteBudget),
        'unused', decimal(forgiveUnused(use)))
      if use.mayExpire then
        redis.call('PERSIST', key('caller:' .. caller))
      end
    end
  end
end
