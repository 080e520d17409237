-- claimed -> reserved (or available past the deadline): releases an orphaned claim, whose lease is over and which has no job.
--
-- KEYS[1]  prefix of the pool
-- ARGV     reservation id, fence, retention in ms
-- Returns  1, or 0 when the claim has changed or its lease is not over
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
local at = now()
local state, fence, _, reserved, claim, refusal = readReservation(id)
if state ~= 'claimed' or fence ~= ARGV[2] then
  return 0
end
local _, lease = readClaim(claim)
if tonumber(lease) > at then
  return 0
end
local _, _, _, _, count, sum = readReserved(reserved)
if isRebuiltWithout(redis.call('ZREM', key('claimed'), inFlight(id, count, sum))) then
  return 0
end
reopenReservation(id, fence, reserved, claim, refusal, at, ARGV[3])
flushTotals()
return 1
