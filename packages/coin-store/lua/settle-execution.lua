-- executing or quarantined -> available, for each of several executions whose outcome is final.
--
-- KEYS[1]  prefix of the pool
-- ARGV     prefix of the waiters' channels, then for each execution a list of the coins that are still the sponsor's (two
--          each: objectId, coin); reservation id, digest, outcome (executed, refused, or unmoved: refused, and its coins
--          are as they were), retention in ms, gas charged, the sponsor's cost, which limits on gas count, and the reply
--          that is published for its waiters ('': none)
-- Returns  for each execution: {'settled', its waiters (gateway|type,…)}; {'passed'} when it was settled before, or is
--          unmoved although the sponsor's own transaction is noted, which may move its coins yet; {'failed', message}
local channels = take(1)

-- Publishes once for each gateway. A failure must not undo the reported outcome: gateways also query the coin-pool.
local function publish(waiters, reply)
  local notified = {}
  for gateway in string.gmatch(waiters, '([^|,]+)|[^,]*') do
    if not notified[gateway] then
      notified[gateway] = true
      redis.pcall('PUBLISH', channels .. gateway, reply)
    end
  end
end

local function settle(returned, id, digest, outcome, retentionMs, gas, cost, reply)
  local reservation = readReservation(id)
  local state = reservation and reservation.state
  if (state ~= 'executing' and state ~= 'quarantined') or reservation.claim.digest ~= digest then
    return { 'passed' }
  end
  local claim, refusal, executed = reservation.claim, reservation.refusal, outcome == 'executed'
  if outcome == 'unmoved' and refusal and refusal.movedOnBy ~= '' then
    return { 'passed' }
  end
  if isRebuiltWithout(redis.call('ZREM', key(state), memberOf(reservation))) then
    -- The pool has its coins as they were; the next comparison with the ledger corrects them.
    shiftTotal('funds', gas, 1)
    shiftTotal('gasCharged', gas, 1)
  else
    renewCoins(reservation.coins, returned, gas)
  end
  settleUsage(claim.holds, tonumber(cost), executed)
  unlockInputs(reservation)
  redis.call('DEL', payloadKey(id))
  releaseCallerUse(reservation)
  if state == 'quarantined' then
    uncountQuarantine(reservation.caller, id)
    if not executed and refusal then
      refusal.fence = reservation.fence
    end
  end
  writeOutcome(reservation, executed and 'executed' or 'expired', digest, retentionMs)
  if reply ~= '' then
    publish(claim.waiters, reply)
  end
  return { 'settled', claim.waiters }
end

local replies = {}
while hasMore() do
  local returned = takePairs()
  replies[#replies + 1] = attempt(settle, returned, take(7))
end
flushTotals()
return replies
