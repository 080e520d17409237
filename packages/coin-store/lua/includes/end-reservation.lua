-- Ends an unused reservation: its coins rest again, and what is left of it answers callers for a while.
local function endReservation(id, state, coins, retentionMs)
  placeCoins(coins)
  local reservation = key('reservation:' .. id)
  redis.call('HSET', reservation, 'state', state)
  redis.call('HDEL', reservation, 'coins', 'count', 'sum', 'digest', 'bytes', 'signature', 'waiters', 'lease')
  redis.call('PEXPIRE', reservation, retentionMs)
end

-- A claim that did not execute: until its deadline the reservation can be used again, after it the coins rest.
local function reopenReservation(id, deadline, coins, count, sum, at, retentionMs)
  if tonumber(deadline) <= at then
    endReservation(id, 'expired', coins, retentionMs)
    return
  end
  local reservation = key('reservation:' .. id)
  redis.call('HSET', reservation, 'state', 'reserved')
  redis.call('HDEL', reservation, 'digest', 'bytes', 'signature', 'waiters', 'lease')
  redis.call('ZADD', key('reserved'), deadline, id)
  shiftTotals('reserved', tonumber(count), sum, 1)
end
