-- A claim that did not execute: until its deadline the reservation can be used again, after it the coins rest.
local function reopenReservation(id, deadline, coins, count, sum, at, retentionMs)
  local reservation = key('reservation:' .. id)
  local held = redis.call('HMGET', reservation, 'holds', 'inputs')
  releaseUsage(held[1])
  unlockInputs(held[2])
  redis.call('HDEL', reservation, 'holds', 'inputs')
  if tonumber(deadline) <= at then
    endReservation(id, 'expired', coins, retentionMs)
    return
  end
  redis.call('HSET', reservation, 'state', 'reserved')
  redis.call('HDEL', reservation, 'digest', 'bytes', 'signature', 'waiters', 'lease')
  redis.call('ZADD', key('reserved'), deadline, id)
  shiftTotals('reserved', tonumber(count), sum, 1)
end
