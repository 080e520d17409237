-- Removes an operation's coins from `maintenance`; returns them (coin,…), or nil when it is over already.
local function leaveMaintenance(operationId)
  local coins = redis.call('HGET', key('operation:' .. operationId), 'coins')
  if not coins then
    return nil
  end
  for balance in string.gmatch(coins, '(%d+):[^,]+') do
    shiftTotal('maintenance:coins', '1', -1)
    shiftTotal('maintenance:balance', balance, -1)
  end
  redis.call('DEL', key('operation:' .. operationId))
  redis.call('ZREM', key('maintenance'), operationId)
  return coins
end
