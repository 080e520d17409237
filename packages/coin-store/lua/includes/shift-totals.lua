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

local function flushTotals()
  for name, amount in pairs(pendingTotals) do
    if amount ~= '0' then
      redis.call('HINCRBY', totalsKey, name, amount)
    end
  end
end
