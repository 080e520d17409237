-- executing or quarantined -> available: the outcome of the transaction is final.
--
-- KEYS[1]  prefix of the pool
-- ARGV     reservation id, digest, outcome (executed or refused), retention in ms, gas charged, the sponsor's cost, which
--          limits on gas count, then two per coin that is still the sponsor's: objectId, coin
-- Returns  false when it was settled before, otherwise the waiters (gateway|type,…)
--@include key
--@include now
--@include shift-totals
--@include place-coin
--@include forget-coins
--@include renew-coins
--@include reservation
--@include in-flight
--@include payload
--@include write-outcome
--@include usage
--@include settle-usage
--@include unlock-inputs
--@include release-caller-use
local id = ARGV[1]
local state, fence, _, reserved, claim, refusal = readReservation(id)
if state ~= 'executing' and state ~= 'quarantined' then
  return false
end
local digest, _, _, waiters, holds, inputs = readClaim(claim)
if digest ~= ARGV[2] then
  return false
end
local caller, budget, _, _, count, sum, counted, coins = readReserved(reserved)
local renewed = {}
for i = 7, #ARGV, 2 do
  renewed[ARGV[i]] = ARGV[i + 1]
end
redis.call('ZREM', key(state), inFlight(id, count, sum))
renewCoins(coins, renewed, ARGV[5], now)
flushTotals()
local executed = ARGV[3] == 'executed'
settleUsage(holds, tonumber(ARGV[6]), executed)
unlockInputs(inputs)
redis.call('DEL', payloadKey(id))
if counted == '1' then
  releaseCallerUse(caller, count, budget)
end
writeOutcome(id, executed and 'executed' or 'expired', fence, reserved, digest, refusal, ARGV[4])
return waiters
