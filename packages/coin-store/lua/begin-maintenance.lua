-- treasury, dust or available -> maintenance: takes coins for a split or consolidation.
--
-- KEYS[1]  prefix of the pool
-- ARGV     operation id, kind ('split', or 'fold': a consolidation), from (treasury, dust or available), the
--          most coins, lease in ms
-- Returns  false when there are no coins, the sponsor is drained or the pool is suspended
--          (check-redis-restart.lua), otherwise the coins (coin,…); a repeated call returns the same coins
local operationId, kind, from, most, leaseMs = unpack(ARGV)
local held = redis.call('HGET', key('operation:' .. operationId), 'coins')
if held then
  return held
elseif redis.call('EXISTS', key('drain'), key('held')) > 0 then
  return false
end

-- The largest of the treasury, the oldest dust, or the first of the largest class available.
local function takeCoins()
  if from == 'treasury' then
    return takeTreasury(tonumber(most))
  elseif from == 'dust' then
    return redis.call('LPOP', key('dust'), most) or {}
  end
  for _, class in ipairs(listClasses()) do
    local taken = redis.call('LPOP', key('available:' .. class), most)
    if taken then
      return taken
    end
    redis.call('SETRANGE', key('classes'), class, '0')
  end
  return {}
end

local coins = takeCoins()
if #coins == 0 then
  return false
end
return enterMaintenance(operationId, kind, coins, leaseMs)
