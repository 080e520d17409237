-- Ends a claim that did not execute: before its deadline the reservation can be used again, after it the coins are placed.
local function reopenReservation(id, fence, reserved, claim, refusal, at, retentionMs)
  local _, _, deadline, _, count, sum = readReserved(reserved)
  local _, _, _, _, holds = readClaim(claim)
  releaseUsage(holds)
  unlockInputs(id, fence, claim)
  redis.call('DEL', payloadKey(id))
  if tonumber(deadline) <= at then
    endReservation(id, 'expired', fence, reserved, refusal, retentionMs)
    return
  end
  writeReservation(id, 'reserved', fence, '', reserved, '', refusal)
  redis.call('ZADD', key('reserved'), deadline, id)
  shiftReserved(count, sum, 1)
end
