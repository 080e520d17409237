-- The sums in `totals` are exact: HINCRBY counts in 64 bits, Lua only in doubles. Small amounts are added up
-- here first, far below 2^53, and written once by flushTotals.
local SMALL_DIGITS = 15
local totalsKey = key('totals')
local pendingTotals = {}

-- Adds (direction 1) an amount (decimal text) to a total, or subtracts it (-1).
local function shiftTotal(name, amount, direction)
  if amount == '0' then
    return
  elseif direction < 0 then
    amount = '-' .. amount
  end
  local pending = pendingTotals[name]
  noteUndo({ pendingTotals, name, pending })
  if not pending then
    pendingTotals[name] = amount
    return
  end
  local sum = #pending <= SMALL_DIGITS and #amount <= SMALL_DIGITS and tonumber(pending) + tonumber(amount)
  if sum and math.abs(sum) < 1e15 then
    pendingTotals[name] = decimal(sum)
  else
    redis.call('HINCRBY', totalsKey, name, pending)
    pendingTotals[name] = amount
  end
end

-- Counts the coins of an unused reservation (direction 1), or subtracts them (-1). `reserved` holds the
-- number of reservations; coins beyond the first of each are counted as further ones.
local function shiftReserved(reservation, direction)
  shiftTotal('reserved:balance', reservation.sum, direction)
  if reservation.count ~= '1' then
    shiftTotal('reserved:further', decimal(reservation.count - 1), direction)
  end
end

local function flushTotals()
  for name, amount in pairs(pendingTotals) do
    if amount ~= '0' then
      redis.call('HINCRBY', totalsKey, name, amount)
    end
    pendingTotals[name] = nil
  end
end
