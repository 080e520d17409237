-- reserved -> claimed: binds a reservation to one transaction. From here on a lease applies instead of the deadline.
--
-- KEYS[1]  prefix of the pool
-- ARGV     reservation id, caller, digest, transaction (includes/payload.lua), waiter, lease in ms, name of the access
--          rule that allowed it, most quarantines of the caller and the ms in which they count ('' and '': no limit),
--          number of inputs that no other transaction may use, these (objectId:version), then eight per counter that is
--          to be checked (includes/usage.lua)
-- Returns  the fence of the new claim, or 'known' (this transaction has it already; the waiter is attached), 'unknown',
--          'expired', 'used'; {'locked', input, digest of the transaction that uses it}; {'quarantines', ms until one of
--          them no longer counts}; or, when a counter is not as expected, {used, ms left of its window} of each
--@include key
--@include now
--@include shift-totals
--@include shift-reserved
--@include reservation
--@include in-flight
--@include payload
--@include write-reservation
--@include attach-waiter
--@include usage
--@include hold-usage
--@include lock-inputs
--@include quarantines
local id = ARGV[1]
local state, fence, _, reserved, claim = readReservation(id)
if not state then
  return 'unknown'
end
local caller, _, deadline, _, count, sum = readReserved(reserved)
if caller ~= ARGV[2] then
  return 'unknown'
end
if state == 'expired' or state == 'released' then
  return 'expired'
end
if state ~= 'reserved' then
  if readDigest(claim) ~= ARGV[3] then
    return 'used'
  end
  if state == 'claimed' or state == 'executing' then
    attachWaiter(id, ARGV[5])
  end
  return 'known'
end
local at = now()
if tonumber(deadline) <= at then
  return 'expired'
end
local wait = ARGV[8] ~= '' and untilQuarantineAllowed(caller, tonumber(ARGV[8]), tonumber(ARGV[9]), at)
if wait then
  return { 'quarantines', wait }
end
local inputs = tonumber(ARGV[10])
local locked, holder = findLockedInput(11, inputs, id)
if locked then
  local _, _, _, _, other = readReservation(holder)
  return { 'locked', locked, other and readDigest(other) or '' }
end
local holds, usages = holdUsage(11 + inputs, at)
if not holds then
  return usages
end
local lease = string.format('%.0f', at + tonumber(ARGV[6]))
local locks = lockInputs(11, inputs, id)
fence = tonumber(fence) + 1
writeReservation(id, 'claimed', fence, '', reserved,
  table.concat({ ARGV[3], lease, ARGV[7], ARGV[5], holds, locks, '', '' }, '\t'), '')
redis.call('SET', payloadKey(id), ARGV[4])
redis.call('ZREM', key('reserved'), id)
redis.call('ZADD', key('claimed'), lease, inFlight(id, count, sum))
shiftReserved(count, sum, -1)
flushTotals()
return fence
