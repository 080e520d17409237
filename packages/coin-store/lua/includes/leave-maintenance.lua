-- Takes an operation's coins out of `maintenance`; returns them (objectId:record,…), or nil when it is over already.
local function leaveMaintenance(operationId)
  local coins = redis.call('HGET', key('operation:' .. operationId), 'coins')
  if not coins then
    return nil
  end
  for coin in string.gmatch(coins, '[^,]+') do
    shiftTotals('maintenance', 1, string.match(coin, ':(%d+):%w+$'), -1)
  end
  redis.call('DEL', key('operation:' .. operationId))
  redis.call('ZREM', key('maintenance'), operationId)
  return coins
end
