-- Moves coins that were taken from their places into `maintenance`, for an operation; returns them (coin,…).
local function enterMaintenance(operationId, kind, coins, leaseMs)
  for _, coin in ipairs(coins) do
    local balance, place = string.match(coin, COIN)
    if place == 'd' then
      shiftTotal('dust:balance', balance, -1)
    elseif place == 't' then
      shiftTotal('treasury:balance', balance, -1)
    end
    shiftTotal('maintenance:coins', '1', 1)
    shiftTotal('maintenance:balance', balance, 1)
  end
  local at = now()
  local text = table.concat(coins, ',')
  redis.call('HSET', key('operation:' .. operationId), 'kind', kind, 'coins', text, 'begun', string.format('%.0f', at))
  redis.call('ZADD', key('maintenance'), string.format('%.0f', at + tonumber(leaseMs)), operationId)
  flushTotals()
  return text
end
