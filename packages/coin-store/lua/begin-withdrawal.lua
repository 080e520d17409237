-- treasury, dust, available -> maintenance: takes coins for the ordered withdrawal.
--
-- KEYS[1]  prefix of the pool
-- ARGV     operation id, the required address of the withdrawal, the most coins, lease in ms
-- Returns  false when it may not begin: no such withdrawal is under way, the sponsor is not drained, the pool is
--          suspended (check-redis-restart.lua), or a reservation or another operation has coins. Otherwise the coins
--          (coin,…), '' when there are none; a repeated call returns the same coins
local operationId, to, most, leaseMs = ARGV[1], ARGV[2], tonumber(ARGV[3]), ARGV[4]
local held = redis.call('HGET', key('operation:' .. operationId), 'coins')
if held then
  return held
end
local ordered = redis.call('HMGET', key('withdrawal'), 'to', 'ended')
if ordered[1] ~= to or ordered[2] ~= '' or redis.call('EXISTS', key('drain')) == 0 or
  redis.call('EXISTS', key('held')) == 1 or hasHolders() then
  return false
end

local coins = {}
local function add(taken)
  for _, coin in ipairs(taken or {}) do
    coins[#coins + 1] = coin
  end
end

local function addAvailable(upTo)
  for _, class in ipairs(listClasses()) do
    if #coins < upTo then
      add(redis.call('LPOP', key('available:' .. class), upTo - #coins))
    end
  end
end

-- First some coins that surely pay the gas, so that dust, which may be worth less than its gas, leaves with them: one
-- of the treasury or, where each may hold less than the budget, many. So dust from strangers cannot make a withdrawal
-- worthless.
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
if #coins == 0 then
  return ''
end
return enterMaintenance(operationId, 'withdrawal', coins, leaseMs)
