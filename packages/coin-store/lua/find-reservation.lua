-- Shows a caller its reservation, and attaches a waiter when the requested transaction is in flight.
--
-- KEYS[1]  prefix of the pool
-- ARGV     reservation id, caller, digest, waiter
-- Returns  {'none'} (no record), {'foreign'} (another caller's), or {'found', state, budget, duration in ms,
--          coins, digest, fence}, and for a refused one the refused digest, its fence, the refusal;
--          `reserved` past its deadline reads `expired`
local id, caller, digest, waiter = unpack(ARGV)
local reservation = readReservation(id)
if not reservation then
  return { 'none' }
elseif reservation.caller ~= caller then
  return { 'foreign' }
end
local state, bound, refusal = reservation.state, reservation.claim and reservation.claim.digest or '', reservation.refusal
if state == 'reserved' and tonumber(reservation.deadline) <= now() then
  state = 'expired'
elseif isInFlight(reservation) and bound == digest then
  attachWaiter(reservation, waiter)
end
local reply = { 'found', state, reservation.budget, reservation.duration, reservation.coins, bound, reservation.fence }
if refusal then
  reply[8], reply[9], reply[10] = refusal.digest, refusal.fence, refusal.message
end
return reply
