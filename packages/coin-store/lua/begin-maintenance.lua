-- treasury, dust or available -> maintenance: takes coins for a split or consolidation.
--
-- KEYS[1]  prefix of the pool
-- ARGV     operation id, kind ('split', or 'fold': a consolidation), from (treasury, dust or available), the most coins,
--          lease in ms
-- Returns  false when there are no coins, the sponsor is drained or the pool is suspended (check-redis-restart.lua),
--          otherwise the coins (coin,…); a repeated call returns the same coins
--@include key
--@include now
--@include shift-totals
--@include place-coin
--@include enter-maintenance
--@include classes
local held = redis.call('HGET', key('operation:' .. ARGV[1]), 'coins')
if held then
  return held
elseif redis.call('EXISTS', key('drain'), key('held')) > 0 then
  return false
end
local from, most = ARGV[3], tonumber(ARGV[4])

-- The largest of the treasury, the oldest dust, or the first of the largest class available.
local function take()
  if from == 'treasury' then
    local taken = redis.call('ZREVRANGE', key('treasury'), 0, most - 1)
    if #taken > 0 then
      redis.call('ZREM', key('treasury'), unpack(taken))
    end
    return taken
  elseif from == 'dust' then
    return redis.call('LPOP', key('dust'), most) or {}
  end
  for _, class in ipairs(listClasses(redis.call('GET', key('classes')) or '')) do
    local taken = redis.call('LPOP', key('available:' .. class), most)
    if taken then
      return taken
    end
    redis.call('SETRANGE', key('classes'), class, '0')
  end
  return {}
end

local coins = take()
if #coins == 0 then
  return false
end
return enterMaintenance(ARGV[1], ARGV[2], coins, ARGV[5])
