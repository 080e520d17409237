-- executing or quarantined -> available, for each of several executions whose outcome is final.
--
-- KEYS[1]  prefix of the pool
-- ARGV     prefix of the waiters' channels, then for each execution three lists: the coins that are still the
--          sponsor's, and those that are withheld since the pool does not know what has changed them (two
--          each: objectId, coin), how long ago in ms its submissions were made; then reservation id, digest,
--          outcome (executed, refused, or unmoved: refused, and its coins are as they were), retention in ms,
--          gas charged, the sponsor's cost, which limits on gas count, the result for history ('': no gas was
--          charged), the reply that is published for its waiters ('': none), and the epoch ('' where no coin
--          is withheld)
-- Returns  for each execution: {'settled', its waiters (gateway|type,…)}; {'passed'} when it was settled
--          before, or is unmoved although the sponsor's own transaction is noted, which may move its coins
--          yet; {'failed', message}
local LONGEST_AMOUNT = 18
local channels = take(1)
local nowMs = now()

-- Publishes once for each gateway. A failure must not undo the reported outcome: gateways also query the
-- coin-pool.
local function publish(waiters, reply)
  local notified = {}
  for gateway in string.gmatch(waiters, '([^|,]+)|[^,]*') do
    if not notified[gateway] then
      notified[gateway] = true
      redis.pcall('PUBLISH', channels .. gateway, reply)
    end
  end
end

-- Messages to the waiters of the settled executions.
local published = {}

local function settle(returned, withheld, submissions, id, digest, outcome, retentionMs, gas, cost, result, reply, epoch)
  local reservation = readReservation(id, payloadKey(id), trailKey(id))
  local state = reservation and reservation.state
  if (state ~= 'executing' and state ~= 'quarantined') or reservation.claim.digest ~= digest then
    return { 'passed' }
  end
  -- Totals are written once for all executions: one that none of them can take must not fail the others.
  if #gas > LONGEST_AMOUNT or #cost > LONGEST_AMOUNT then
    error('gas out of range: ' .. gas .. ', cost ' .. cost)
  end
  requireDuration(retentionMs)
  local claim, refusal, executed = reservation.claim, reservation.refusal, outcome == 'executed'
  if outcome == 'unmoved' and refusal and refusal.movedOnBy ~= '' then
    return { 'passed' }
  end
  -- Removing comes first, so that Redis lets it go on where only memory is missing.
  if isRebuiltWithout(redis.call('ZREM', key(state), memberOf(reservation))) then
    -- The pool has its coins as they were; the next comparison with the ledger corrects them.
    shiftTotal('funds', gas, 1)
    shiftTotal('gasCharged', gas, 1)
  else
    renewCoins(reservation.coins, returned, gas, withheld, epoch)
  end
  settleUsage(claim.holds, tonumber(cost), executed)
  unlockInputs(reservation)
  releaseCallerUse(reservation, executed)
  local settled = { at = nowMs, result = result, counted = result ~= '' and cost or '', lines = '' }
  if isInHistory(reservation) then
    settled.lines = describeSubmissions(submissions, nowMs)
  end
  if state == 'quarantined' then
    uncountQuarantine(reservation.caller, id)
    if not executed and refusal and refusal.fence ~= reservation.fence then
      refusal.fence = reservation.fence
      settled.lines = settled.lines .. describeRefusal(nowMs, refusal)
    end
  end
  writeOutcome(reservation, executed and 'executed' or 'expired', digest, retentionMs, settled)
  if reply ~= '' then
    published[#published + 1] = { claim.waiters, reply }
  end
  return { 'settled', claim.waiters }
end

local replies = {}
while hasMore() do
  local returned, withheld, submissions = takePairs(), takePairs(), takeList()
  replies[#replies + 1] = attempt(settle, returned, withheld, submissions, take(9))
end
flushCoins()
flushOutcomes()
for _, message in ipairs(published) do
  publish(unpack(message))
end
return replies
