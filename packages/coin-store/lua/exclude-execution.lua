-- quarantined: the ledger has proven that the transaction can never be executed, so its callers may have the refusal and
-- its inputs are free. Its coins stay bound, since validators may hold them for it.
--
-- KEYS[1]  prefix of the pool
-- ARGV     reservation id, digest, fence
-- Returns  false when the claim has changed or this was recorded before, otherwise the waiters (gateway|type,…)
--@include key
--@include reservation
--@include write-reservation
--@include read-refusal
--@include unlock-inputs
local id = ARGV[1]
local state, fence, begun, reserved, claim, refusal = readReservation(id)
if state ~= 'quarantined' or fence ~= ARGV[3] or readDigest(claim) ~= ARGV[2] then
  return false
end
local refusedDigest, refusedFence, message, epoch, movedOnBy = readRefusal(refusal)
if refusedFence == fence then
  return false
end
local digest, lease, rule, waiters, holds, _, executor, resumed = readClaim(claim)
unlockInputs(id, fence, claim)
writeReservation(id, state, fence, begun, reserved,
  table.concat({ digest, lease, rule, '', holds, '', executor, resumed }, '\t'),
  table.concat({ refusedDigest, fence, message, epoch, movedOnBy }, '\t'))
return waiters
