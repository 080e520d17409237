-- Tells whether a claim still needs an input that was locked for it. One that was not made can be given up:
-- then it can only be made under a later fence.
--
-- KEYS[1]  prefix of the pool
-- ARGV     reservation id, digest, fence, input (objectId:version), 1 to give the claim up if it was not made
-- Returns  'held' (its transaction is in flight), 'pending' (it may be made any moment), 'over'
local id, digest, fence, input, givesUp = unpack(ARGV)
local reservation = readReservation(id)
if not reservation then
  return 'over'
end
if isInFlight(reservation) then
  local claim = reservation.claim
  local isHeld = claim.digest == digest and reservation.fence == fence and
    string.find(',' .. claim.inputs .. ',', ',' .. input .. ',', 1, true)
  return isHeld and 'held' or 'over'
end
if reservation.state ~= 'reserved' or reservation.fence + 1 ~= tonumber(fence) then
  return 'over'
end
if givesUp ~= '1' then
  return 'pending'
end
reservation.fence = fence
writeReservation(reservation)
return 'over'
