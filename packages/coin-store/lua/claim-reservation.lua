-- reserved -> claimed: binds reservations to one transaction each. From here on a lease applies instead of
-- the deadline.
--
-- KEYS[1]  prefix of the pool
-- ARGV     for each claim three lists: inputs that no other transaction may use (objectId:version), checks of
--          counters (includes/hold-usage.lua), ages of the caller's quarantines in other pools in ms; then
--          reservation id, caller, digest, transaction (`payload` of includes/reservation.lua), waiter, lease
--          in ms, name of the access rule that allowed it, most quarantines of the caller and the ms in which
--          they count ('' and '': no limit), the fence that its inputs are locked with ('': none), the
--          request's id and traceparent, separated by a tab, the facts of the access decision ('': unknown)
-- Returns  for each claim: {'claimed', its fence}; {'known'} (this transaction has it already; the waiter is
--          attached), {'unknown'}, {'expired'}, {'used'}; {'passed', the reservation's fence, which is not
--          the one before}; {'locked', input, digest of the transaction that uses it}; {'quarantines', ms
--          until one of them no longer counts}; {'usage', for each check: used, ms left of its window} when a
--          counter is not as expected; {'failed', message}; then the watermark, '' when nothing was claimed;
--          and last the thresholds that were announced (includes/thresholds.lua)
-- Kept for lookups until some time after the deadline of the reservation.
local CLAIMED_BY_KEPT_MS = 600000
local nowMs = now()
-- The claims' changes, which the script writes at once for all: reservations, their transactions, members of
-- `reserved` and `claimed`, locked inputs.
local claimed, texts, reserved, scored, lockedInputs = {}, {}, {}, {}, {}

local function claim(inputs, checks, elsewhere, id, caller, digest, payload, waiter, leaseMs, rule, mostQuarantines,
    quarantineWindowMs, lockedFence, request, facts)
  local reservation = readReservation(id)
  if not reservation or reservation.caller ~= caller then
    return { 'unknown' }
  end
  local state, fence, deadline = reservation.state, reservation.fence, reservation.deadline
  if state == 'expired' or state == 'released' then
    return { 'expired' }
  end
  if state ~= 'reserved' then
    if not reservation.claim or reservation.claim.digest ~= digest then
      return { 'used' }
    end
    if isInFlight(reservation) then
      attachWaiter(reservation, waiter)
    end
    return { 'known' }
  end
  -- One that its index has lost is not claimed: a pool that is rebuilt may give its coins to others.
  if tonumber(deadline) <= nowMs or not redis.call('ZSCORE', key('reserved'), id) then
    return { 'expired' }
  end
  -- An input's lock that names another fence may have been given up.
  if lockedFence ~= '' and tonumber(lockedFence) ~= fence + 1 then
    return { 'passed', fence }
  end
  local wait = mostQuarantines ~= '' and
    untilQuarantineAllowed(caller, tonumber(mostQuarantines), tonumber(quarantineWindowMs), elsewhere, nowMs)
  if wait then
    return { 'quarantines', wait }
  end
  local locked, holder = findLockedInput(inputs, id, lockedInputs)
  if locked then
    local other = readReservation(holder)
    return { 'locked', locked, other and other.claim and other.claim.digest or '' }
  end
  local holds, usages = holdUsage(checks, nowMs)
  if not holds then
    return { 'usage', unpack(usages) }
  end
  local lease = decimal(nowMs + tonumber(leaseMs))
  local member, line = memberOf(reservation), describeClaim(nowMs, digest, request, rule, facts)
  shiftReserved(reservation, -1)
  claimed[#claimed + 1] = reservation
  texts[#texts + 1] = payloadKey(id)
  texts[#texts + 1] = payload .. '\t' .. line
  reserved[#reserved + 1] = id
  scored[#scored + 1] = lease
  scored[#scored + 1] = member
  for _, input in ipairs(inputs) do
    lockedInputs[input] = id
  end
  reservation.state, reservation.fence, reservation.begun = 'claimed', fence + 1, ''
  reservation.claim = { digest = digest, lease = lease, rule = rule, waiters = waiter, holds = holds,
    inputs = table.concat(inputs, ','), executor = '', resumed = '' }
  reservation.refusal = nil
  return { 'claimed', reservation.fence }
end

local replies = {}
while hasMore() do
  local inputs, checks, elsewhere = takeList(), takeRecords(9), takeList()
  replies[#replies + 1] = attempt(claim, inputs, checks, elsewhere, take(12))
end
local watermark = ''
if #claimed > 0 then
  flushTotals()
  watermark = redis.call('INCR', key('watermark'))
  callRedis('ZADD', key('claimed'), unpack(scored))
  callRedis('ZREM', key('reserved'), unpack(reserved))
  for _, reservation in ipairs(claimed) do
    local keptMs = decimal(reservation.deadline - nowMs + CLAIMED_BY_KEPT_MS)
    callRedis('SET', claimedByKey(reservation.claim.digest), reservation.id, 'PX', keptMs)
  end
  callRedis('MSET', formReservations(claimed, texts))
  lockInputs(lockedInputs)
end
replies[#replies + 1] = watermark
replies[#replies + 1] = reached
return replies
