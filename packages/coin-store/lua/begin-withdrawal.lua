-- treasury, dust, available -> maintenance: takes coins for the ordered withdrawal.
--
-- KEYS[1]  prefix of the pool
-- ARGV     operation id, the required address of the withdrawal, the most coins, lease in ms, its required
--          amount ('': all funds), the gas budget of a transaction, its required id
-- Returns  false when it may not begin: no such withdrawal is under way, the sponsor is not drained, the pool
--          is suspended (check-redis-restart.lua), or a reservation or another operation has coins. Otherwise
--          the coins (coin,…), '' when there are none; a repeated call returns the same coins
local operationId, to, most, leaseMs, amount, budget, id = unpack(ARGV)
most = tonumber(most)
local held = redis.call('HGET', key('operation:' .. operationId), 'coins')
if held then
  return held
end
local isPart = amount ~= ''
local order = readOrder()
if not isOrder(order, to, amount, id) or redis.call('EXISTS', key('drain')) == 0 or
  redis.call('EXISTS', key('held')) == 1 or hasHolders() then
  return false
end
if not isCurrent(order) then
  endOrder()
  return false
end

local coins = {}
local sum = 0
local function add(taken)
  for _, coin in ipairs(taken or {}) do
    coins[#coins + 1] = coin
    sum = sum + tonumber(balanceOf(coin))
  end
end

local function addAvailable(upTo)
  for _, class in ipairs(listClasses()) do
    if #coins < upTo then
      add(redis.call('LPOP', key('available:' .. class), upTo - #coins))
    end
  end
end

-- Adds the next coin until the amount and its gas are covered. The sum is not exact above 2^53: another
-- transaction then sends the difference.
local function addCovering(takeNext)
  local need = tonumber(order.left) + tonumber(budget)
  while #coins < most and sum < need do
    local count = #coins
    add(takeNext())
    if #coins == count then
      return
    end
  end
end

if isPart then
  addCovering(function() return takeTreasury(1) end)
  for _, class in ipairs(listClasses()) do
    addCovering(function() return redis.call('LPOP', key('available:' .. class), 1) end)
  end
else
  -- First some coins that surely pay the gas, so that dust, which may be worth less than its gas, leaves with
  -- them: one of the treasury or, where each may hold less than the budget, many. So dust from strangers
  -- cannot make a withdrawal worthless.
  add(takeTreasury(1))
  if #coins == 0 then
    addAvailable(math.max(1, math.floor(most / 2)))
  end
  if #coins < most then
    add(redis.call('LPOP', key('dust'), most - #coins))
  end
  if #coins < most then
    add(takeTreasury(most - #coins))
  end
  addAvailable(most)
end
if #coins == 0 then
  return ''
end
return enterMaintenance(operationId, 'withdrawal', coins, leaseMs)
