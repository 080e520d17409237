-- Ends an unused reservation: its coins rest again, and what is left of it answers callers for a while.
local function endReservation(id, state, coins, retentionMs)
  placeCoins(coins)
  local reservation = key('reservation:' .. id)
  local found = redis.call('HMGET', reservation, 'counted', 'caller', 'count', 'budget')
  if found[1] then
    giveBackCallerUse(found[2], found[3], found[4])
  end
  redis.call('HSET', reservation, 'state', state)
  redis.call('HDEL', reservation, 'coins', 'count', 'sum', 'digest', 'bytes', 'signature', 'waiters', 'lease', 'counted')
  redis.call('PEXPIRE', reservation, retentionMs)
end
