-- Tells whether a claim still needs an input that was locked for it. One that was not made can be given up: then it can only be
-- made under a later fence.
--
-- KEYS[1]  prefix of the pool
-- ARGV     reservation id, digest, fence, input (objectId:version), 1 to give the claim up if it was not made
-- Returns  'held' (its transaction is in flight), 'pending' (it may be made any moment), 'over'
--@include key
--@include reservation
--@include write-reservation
local id, digest, fence, input = ARGV[1], ARGV[2], ARGV[3], ARGV[4]
local state, present, begun, reserved, claim, refusal = readReservation(id)
if state == 'claimed' or state == 'executing' or state == 'quarantined' then
  local bound, _, _, _, _, inputs = readClaim(claim)
  local isHeld = bound == digest and present == fence and
    string.find(',' .. inputs .. ',', ',' .. input .. ',', 1, true)
  return isHeld and 'held' or 'over'
end
if state ~= 'reserved' or tonumber(present) + 1 ~= tonumber(fence) then
  return 'over'
end
if ARGV[5] ~= '1' then
  return 'pending'
end
writeReservation(id, state, fence, begun, reserved, claim, refusal)
return 'over'
