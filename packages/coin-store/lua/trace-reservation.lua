-- The whole stored state of one reservation, for operators.
--
-- KEYS[1]  prefix of the pool
-- ARGV     reservation id
-- Returns  false when there is no record; otherwise ms since 1970, remaining retention of the record in ms (-1: until
--          the reservation ends), and the fields of its four lines in their order (includes/reservation.lua), '' for
--          those that its state does not have
--@include key
--@include now
--@include reservation
--@include read-refusal
local id = ARGV[1]
local state, fence, begun, reserved, claim, refusal = readReservation(id)
if not state then
  return false
end
local traced = { string.format('%.0f', now()), redis.call('PTTL', key('reservation:' .. id)), state, fence, begun }
local function add(count, ...)
  local fields = { ... }
  for i = 1, count do
    traced[#traced + 1] = fields[i] or ''
  end
end
add(8, readReserved(reserved))
if readClaim(claim) then
  add(8, readClaim(claim))
else
  add(8, readDigest(claim))
end
add(5, readRefusal(refusal))
return traced
