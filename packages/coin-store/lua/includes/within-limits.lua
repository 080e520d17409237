-- Name in place of a limit's: the caller gets no more because others hold most of the pool.
local SCARCE = 'scarce'

-- The most coins that a caller's limits leave for a request, the deciding limit and the time at which it allows more
-- (0: when coins are returned); or nil and the same. `countCoins`: number of available coins, and of all coins that
-- the pool sponsors with.
local function withinLimits(use, budget, limits, at, countCoins)
  local minuteEndsIn = string.format('%.0f', use.minute + MINUTE_MS - at)
  local coins, budgets, minuteCoins, minuteBudgets, share = string.match(limits, '^(%d*)|(%d*)|(%d*)|(%d*)|(%d*)$')
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
    -- A share of the coins that others do not hold: however many callers take all they can, some coins remain for the
    -- next, and a caller without coins may have one. A caller with less than its share of the whole pool is not at its
    -- limit: others have too many.
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
