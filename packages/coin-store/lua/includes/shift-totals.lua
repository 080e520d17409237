-- Sums are kept exact: HINCRBY counts in 64 bits, Lua only in doubles. Small amounts are added up here first, far below
-- 2^53, which Redis writes as whole numbers, and counted once by flushTotals.
local SMALL_DIGITS = 15
local totalsKey = key('totals')
local pendingTotals = {}

-- Adds (direction 1) an amount (decimal text) to a total, or takes it away (-1).
local function shiftTotal(name, amount, direction)
  if amount == '0' then
    return
  elseif direction < 0 then
    amount = '-' .. amount
  end
  local pending = pendingTotals[name]
  if not pending then
    pendingTotals[name] = amount
    return
  end
  local sum = #pending <= SMALL_DIGITS and #amount <= SMALL_DIGITS and tonumber(pending) + tonumber(amount)
  if sum and math.abs(sum) < 1e15 then
    pendingTotals[name] = string.format('%.0f', sum)
  else
    redis.call('HINCRBY', totalsKey, name, pending)
    pendingTotals[name] = amount
  end
end

-- The same for a reservation's coins in one of its states. What the states' own sets do not tell is counted: the sum of
-- balances, and coins beyond the first of each reservation.
local function shiftHeld(state, count, sum, direction)
  shiftTotal(state .. ':balance', sum, direction)
  if count ~= '1' then
    shiftTotal(state .. ':further', string.format('%.0f', count - 1), direction)
  end
end

local function flushTotals()
  for name, amount in pairs(pendingTotals) do
    if amount ~= '0' then
      redis.call('HINCRBY', totalsKey, name, amount)
    end
  end
end
