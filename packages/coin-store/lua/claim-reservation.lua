-- reserved -> claimed: binds reservations to one transaction each. From here on a lease applies instead of the deadline.
--
-- KEYS[1]  prefix of the pool
-- ARGV     for each claim: reservation id, caller, digest, transaction (includes/payload.lua), waiter, lease in ms, name of
--          the access rule that allowed it, most quarantines of the caller and the ms in which they count ('' and '': no
--          limit), their ages in other pools in ms (age,…), the fence that its inputs are locked with ('': none), number
--          of inputs that no other transaction may use, number of counters that are to be checked, then these inputs
--          (objectId:version), and eight for each counter (includes/usage.lua)
-- Returns  for each claim: {'claimed', its fence}, or 'known' (this transaction has it already; the waiter is attached),
--          'unknown', 'expired', 'used'; {'passed', the reservation's fence, which is not the one before};
--          {'locked', input, digest of the transaction that uses it}; {'quarantines', ms until
--          one of them no longer counts}; {'failed', message}; or, when a counter is not as expected, {used, ms left of
--          its window} of each; and last the watermark, '' when nothing was claimed
--@include key
--@include now
--@include shift-totals
--@include shift-reserved
--@include reservation
--@include in-flight
--@include payload
--@include claimed-by
--@include write-reservation
--@include attach-waiter
--@include usage
--@include hold-usage
--@include lock-inputs
--@include quarantines
--@include attempt
--@include raise-watermark
local CLAIM_FIELDS = 13
local at = now()
local isAnyClaimed = false

-- The claim whose fields begin at ARGV[i].
local function claim(i)
  local id, digest, waiter = ARGV[i], ARGV[i + 2], ARGV[i + 4]
  local state, fence, _, reserved, bound = readReservation(id)
  if not state then
    return 'unknown'
  end
  local caller, _, deadline, _, count, sum = readReserved(reserved)
  if caller ~= ARGV[i + 1] then
    return 'unknown'
  end
  if state == 'expired' or state == 'released' then
    return 'expired'
  end
  if state ~= 'reserved' then
    if readDigest(bound) ~= digest then
      return 'used'
    end
    if state == 'claimed' or state == 'executing' or state == 'quarantined' then
      attachWaiter(id, waiter)
    end
    return 'known'
  end
  -- One that its index has lost is not claimed: a pool that is rebuilt may give its coins to others.
  if tonumber(deadline) <= at or not redis.call('ZSCORE', key('reserved'), id) then
    return 'expired'
  end
  -- An input's lock that names another fence may have been given up.
  if ARGV[i + 10] ~= '' and tonumber(ARGV[i + 10]) ~= fence + 1 then
    return { 'passed', fence }
  end
  local quarantines = ARGV[i + 7]
  local wait = quarantines ~= '' and
    untilQuarantineAllowed(caller, tonumber(quarantines), tonumber(ARGV[i + 8]), ARGV[i + 9], at)
  if wait then
    return { 'quarantines', wait }
  end
  local inputs = tonumber(ARGV[i + 11])
  local locked, holder = findLockedInput(i + CLAIM_FIELDS, inputs, id)
  if locked then
    local _, _, _, _, other = readReservation(holder)
    return { 'locked', locked, other and readDigest(other) or '' }
  end
  local holds, usages = holdUsage(i + CLAIM_FIELDS + inputs, tonumber(ARGV[i + 12]), at)
  if not holds then
    return usages
  end
  local lease = string.format('%.0f', at + tonumber(ARGV[i + 5]))
  local locks = lockInputs(i + CLAIM_FIELDS, inputs, id)
  fence = tonumber(fence) + 1
  writeReservation(id, 'claimed', fence, '', reserved,
    table.concat({ digest, lease, ARGV[i + 6], waiter, holds, locks, '', '' }, '\t'), '')
  redis.call('SET', payloadKey(id), ARGV[i + 3])
  writeClaimedBy(digest, id, deadline, at)
  redis.call('ZREM', key('reserved'), id)
  redis.call('ZADD', key('claimed'), lease, inFlight(id, count, sum))
  shiftReserved(count, sum, -1)
  isAnyClaimed = true
  return { 'claimed', fence }
end

local replies = {}
local i = 1
while ARGV[i] do
  replies[#replies + 1] = attempt(claim, i)
  i = i + CLAIM_FIELDS + tonumber(ARGV[i + 11]) + CHECK_FIELDS * tonumber(ARGV[i + 12])
end
flushTotals()
replies[#replies + 1] = isAnyClaimed and raiseWatermark() or ''
return replies
