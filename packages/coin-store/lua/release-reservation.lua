-- reserved -> available: the caller releases an unused reservation.
--
-- KEYS[1]  prefix of the pool
-- ARGV     reservation id, caller, retention of its outcome in ms
-- Returns  1, or 0 when the caller has no such reservation to release
--@include key
--@include shift-totals
--@include shift-reserved
--@include place-coin
--@include place-coins
--@include reservation
--@include write-outcome
--@include all-users
--@include release-caller-use
--@include end-reservation
local id = ARGV[1]
local state, fence, _, reserved, _, refusal = readReservation(id)
if state ~= 'reserved' then
  return 0
end
local caller, budget, _, _, count, sum, counted = readReserved(reserved)
if caller ~= ARGV[2] then
  return 0
end
if redis.call('ZREM', key('reserved'), id) == 1 then
  shiftReserved(count, sum, -1)
  endReservation(id, 'released', fence, reserved, refusal, ARGV[3])
  flushTotals()
  return 1
end
-- Its index has lost it: rebuild-pool.lua places its coins, or has done so.
if counted == '1' then
  releaseCallerUse(caller, count, budget)
end
writeOutcome(id, 'released', fence, reserved, '', refusal, ARGV[3])
return 1
