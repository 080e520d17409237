-- executing: every submission by this executor has ended, and the outcome is unknown. Records the epoch of that
-- moment.
--
-- KEYS[1]  prefix of the pool
-- ARGV     reservation id, digest, fence, executor, the ledger's epoch
-- Returns  1, or false when the claim has changed or another executor has begun it since, which may be submitting now
--@include key
--@include reservation
--@include write-reservation
local id = ARGV[1]
local state, fence, begun, reserved, claim, refusal = readReservation(id)
if state ~= 'executing' or fence ~= ARGV[3] then
  return false
end
local digest, lease, rule, waiters, holds, inputs, executor = readClaim(claim)
if digest ~= ARGV[2] or executor ~= ARGV[4] then
  return false
end
writeReservation(id, state, fence, begun, reserved,
  table.concat({ digest, lease, rule, waiters, holds, inputs, executor, '1:' .. ARGV[5] }, '\t'), refusal)
return 1
