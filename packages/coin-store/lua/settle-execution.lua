-- executing or quarantined -> available, for each of several executions whose outcome is final.
--
-- KEYS[1]  prefix of the pool
-- ARGV     prefix of the waiters' channels, then for each execution: reservation id, digest, outcome (executed, refused, or
--          unmoved: refused, and its coins are as they were), retention in ms, gas charged, the sponsor's cost, which limits
--          on gas count, what is published for its waiters ('': nothing), number of its coins that are still the sponsor's,
--          and two for each of these: objectId, coin
-- Returns  for each execution: false when it was settled before, or is unmoved although the sponsor's own transaction is noted,
--          which may move its coins yet; {'failed', message}; otherwise its waiters (gateway|type,…)
--@include key
--@include now
--@include shift-totals
--@include place-coin
--@include forget-coins
--@include renew-coins
--@include reservation
--@include in-flight
--@include classes
--@include is-whole
--@include rebuilt-without
--@include payload
--@include write-outcome
--@include read-refusal
--@include usage
--@include settle-usage
--@include unlock-inputs
--@include all-users
--@include release-caller-use
--@include publish-reply
--@include quarantines
--@include attempt
local SETTLEMENT_FIELDS = 8

-- The execution whose fields begin at ARGV[i], and whose coins are `renewed` (objectId -> coin).
local function settle(i, renewed)
  local id, executed = ARGV[i], ARGV[i + 2] == 'executed'
  local state, fence, _, reserved, claim, refusal = readReservation(id)
  if state ~= 'executing' and state ~= 'quarantined' then
    return false
  end
  local digest, _, _, waiters, holds = readClaim(claim)
  if digest ~= ARGV[i + 1] then
    return false
  end
  local _, _, _, _, movedOnBy = readRefusal(refusal)
  if ARGV[i + 2] == 'unmoved' and movedOnBy ~= '' then
    return false
  end
  local caller, budget, _, _, count, sum, counted, coins = readReserved(reserved)
  if isRebuiltWithout(redis.call('ZREM', key(state), inFlight(id, count, sum))) then
    -- The pool has its coins as they were; the next comparison with the ledger corrects them.
    shiftTotal('funds', ARGV[i + 4], 1)
    shiftTotal('gasCharged', ARGV[i + 4], 1)
  else
    renewCoins(coins, renewed, ARGV[i + 4], now)
  end
  settleUsage(holds, tonumber(ARGV[i + 5]), executed)
  unlockInputs(id, fence, claim)
  redis.call('DEL', payloadKey(id))
  if counted == '1' then
    releaseCallerUse(caller, count, budget)
  end
  if state == 'quarantined' then
    uncountQuarantine(caller, id)
    if not executed then
      local refusedDigest, _, message, epoch, movedOnBy = readRefusal(refusal)
      refusal = table.concat({ refusedDigest, fence, message, epoch, movedOnBy }, '\t')
    end
  end
  writeOutcome(id, executed and 'executed' or 'expired', fence, reserved, digest, refusal, ARGV[i + 3])
  if ARGV[i + 6] ~= '' then
    publishReply(waiters, ARGV[1], ARGV[i + 6])
  end
  return waiters
end

local replies = {}
local i = 2
while ARGV[i] do
  local coins = i + SETTLEMENT_FIELDS
  local following = coins + 2 * tonumber(ARGV[coins - 1])
  local renewed = {}
  for k = coins, following - 1, 2 do
    renewed[ARGV[k]] = ARGV[k + 1]
  end
  replies[#replies + 1] = attempt(settle, i, renewed)
  i = following
end
flushTotals()
return replies
