-- executing -> reserved (or available past the deadline): the ledger refused the transaction for certain.
--
-- KEYS[1]  prefix of the pool
-- ARGV     reservation id, digest, fence, the ledger's message, retention in ms
-- Returns  false when the claim has changed or a second executor has begun it, which may have submitted the
--          transaction since; otherwise the waiters (gateway|type,…)
--@include key
--@include now
--@include shift-totals
--@include shift-reserved
--@include place-coin
--@include place-coins
--@include reservation
--@include in-flight
--@include classes
--@include is-whole
--@include rebuilt-without
--@include payload
--@include write-reservation
--@include write-outcome
--@include usage
--@include release-usage
--@include unlock-inputs
--@include all-users
--@include release-caller-use
--@include end-reservation
--@include reopen-reservation
local id = ARGV[1]
local state, fence, _, reserved, claim = readReservation(id)
if state ~= 'executing' or fence ~= ARGV[3] then
  return false
end
local digest, _, _, waiters, _, _, _, resumed = readClaim(claim)
if digest ~= ARGV[2] or resumed ~= '' then
  return false
end
local _, _, _, _, count, sum = readReserved(reserved)
if isRebuiltWithout(redis.call('ZREM', key('executing'), inFlight(id, count, sum))) then
  return false
end
local refusal = table.concat({ digest, fence, ARGV[4], '', '' }, '\t')
reopenReservation(id, fence, reserved, claim, refusal, now(), ARGV[5])
flushTotals()
return waiters
