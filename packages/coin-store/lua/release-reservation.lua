-- reserved -> available: the caller releases an unused reservation.
--
-- KEYS[1]  prefix of the pool
-- ARGV     reservation id, caller, retention of its outcome in ms
-- Returns  1, or 0 when the caller has no such reservation to release
local id, caller, retentionMs = unpack(ARGV)
local reservation = readReservation(id)
if not reservation or reservation.state ~= 'reserved' or reservation.caller ~= caller then
  return 0
end
if redis.call('ZREM', key('reserved'), id) == 1 then
  shiftReserved(reservation, -1)
  endReservation(reservation, 'released', retentionMs)
  flushCoins()
else
  -- Its index has lost it: rebuild-pool.lua places its coins, or has done so.
  releaseCallerUse(reservation)
  writeOutcome(reservation, 'released', '', retentionMs)
end
flushOutcomes()
return 1
