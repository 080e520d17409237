-- quarantined: the ledger has proven that the transaction can never be executed, so its callers may have the
-- refusal and its inputs are free. Its coins stay bound, since validators may hold them for it.
--
-- KEYS[1]  prefix of the pool
-- ARGV     reservation id, digest, fence
-- Returns  false when the claim has changed or this was recorded before, otherwise the waiters
--          (gateway|type,…)
local id, digest, fence = unpack(ARGV)
local reservation = readReservation(id)
if not reservation or reservation.state ~= 'quarantined' or reservation.fence ~= fence or
  reservation.claim.digest ~= digest or reservation.refusal.fence == fence then
  return false
end
local waiters = reservation.claim.waiters
unlockInputs(reservation)
reservation.claim.waiters, reservation.claim.inputs = '', ''
reservation.refusal.fence = fence
writeReservation(reservation)
appendTrail(reservation, describeRefusal(now(), reservation.refusal))
return waiters
