-- Sums are kept exact: HINCRBY counts in 64 bits, Lua only in doubles. Small balances are added up here first, far
-- below 2^53, which Redis writes as whole numbers, and counted once by flushTotals.
local totalsKey = key('totals')
local pendingTotals = {}

local function flushState(state, pending)
  if pending.coins ~= 0 then
    redis.call('HINCRBY', totalsKey, state .. ':coins', pending.coins)
  end
  if pending.balance ~= 0 then
    redis.call('HINCRBY', totalsKey, state .. ':balance', pending.balance)
  end
  pending.coins = 0
  pending.balance = 0
end

-- Adds (direction 1) or takes away (-1) `coins` coins worth `balance` (decimal text) in a state.
local function shiftTotals(state, coins, balance, direction)
  local pending = pendingTotals[state]
  if not pending then
    pending = { coins = 0, balance = 0 }
    pendingTotals[state] = pending
  end
  pending.coins = pending.coins + direction * coins
  if #balance > 15 then
    local signed = direction < 0 and '-' .. balance or balance
    redis.call('HINCRBY', totalsKey, state .. ':balance', signed)
    return
  end
  pending.balance = pending.balance + direction * tonumber(balance)
  if math.abs(pending.balance) > 8e15 then
    flushState(state, pending)
  end
end

local function flushTotals()
  for state, pending in pairs(pendingTotals) do
    flushState(state, pending)
  end
end
