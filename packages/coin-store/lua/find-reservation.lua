-- Shows a caller its reservation, and attaches a waiter when the requested transaction is in flight.
--
-- KEYS[1]  prefix of the pool
-- ARGV     reservation id, caller, digest, waiter
-- Returns  false (no record), 'foreign' (another caller's), or {state, budget, deadline, coins, digest, fence,
--          refused digest, refused fence, refusal, duration in ms}; `reserved` past its deadline reads `expired`
--@include key
--@include now
--@include reservation
--@include write-reservation
--@include read-refusal
--@include attach-waiter
local id = ARGV[1]
local state, fence, _, reserved, claim, refusal = readReservation(id)
if not state then
  return false
end
local caller, budget, deadline, duration, _, _, _, coins = readReserved(reserved)
if caller ~= ARGV[2] then
  return 'foreign'
end
local digest = readDigest(claim)
if state == 'reserved' and tonumber(deadline) <= now() then
  state = 'expired'
elseif (state == 'claimed' or state == 'executing' or state == 'quarantined') and digest == ARGV[3] then
  attachWaiter(id, ARGV[4])
end
local refusedDigest, refusedFence, message = readRefusal(refusal)
return { state, budget, deadline, coins, digest, fence, refusedDigest, refusedFence, message, duration }
