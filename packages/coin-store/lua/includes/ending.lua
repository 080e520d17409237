-- Ends an unused reservation: its coins are placed again, and its outcome answers callers for a while.
local function endReservation(reservation, state, retentionMs, settled)
  placeCoins(reservation.coins)
  releaseCallerUse(reservation)
  writeOutcome(reservation, state, settled and settled.digest or '', retentionMs, settled)
end

-- Ends a claim that did not execute: before its deadline the reservation can be used again, after it the
-- coins are placed. `lines`: what its trail tells of the end (includes/history.lua).
local function reopenReservation(reservation, nowMs, retentionMs, lines)
  releaseUsage(reservation.claim.holds)
  unlockInputs(reservation)
  if tonumber(reservation.deadline) <= nowMs then
    endReservation(reservation, 'expired', retentionMs, { lines = lines })
    return
  end
  keepClaim(reservation, lines)
  reservation.state, reservation.begun, reservation.claim = 'reserved', '', nil
  writeReservation(reservation)
  redis.call('ZADD', key('reserved'), reservation.deadline, reservation.id)
  shiftReserved(reservation, 1)
end
