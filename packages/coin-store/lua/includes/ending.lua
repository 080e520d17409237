-- Ends an unused reservation: its coins are placed again, and its outcome answers callers for a while.
local function endReservation(reservation, state, retentionMs)
  placeCoins(reservation.coins)
  releaseCallerUse(reservation)
  writeOutcome(reservation, state, '', retentionMs)
end

-- Ends a claim that did not execute: before its deadline the reservation can be used again, after it the coins are placed.
local function reopenReservation(reservation, at, retentionMs)
  releaseUsage(reservation.claim.holds)
  unlockInputs(reservation)
  redis.call('DEL', payloadKey(reservation.id))
  if tonumber(reservation.deadline) <= at then
    endReservation(reservation, 'expired', retentionMs)
    return
  end
  reservation.state, reservation.begun, reservation.claim = 'reserved', '', nil
  writeReservation(reservation)
  redis.call('ZADD', key('reserved'), reservation.deadline, reservation.id)
  shiftReserved(reservation, 1)
end
