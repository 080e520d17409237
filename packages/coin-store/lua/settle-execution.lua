-- executing or quarantined -> available: the ledger has said what became of the transaction.
--
-- KEYS[1]  prefix of the pool
-- ARGV     reservation id, digest, outcome (executed or refused), retention in ms, gas charged, then two per coin that
--          is still the sponsor's: objectId, record
-- Returns  false when it was settled before, otherwise the waiters (gateway|type,…)
--@include key
--@include now
--@include shift-totals
--@include place-coin
--@include usage
--@include input-locks
--@include caller-use
local id = ARGV[1]
local reservation = key('reservation:' .. id)
local found = redis.call('HMGET', reservation, 'state', 'digest', 'coins', 'count', 'sum', 'waiters', 'holds',
  'counted', 'caller', 'budget', 'inputs')
local state = found[1]
if found[2] ~= ARGV[2] or (state ~= 'executing' and state ~= 'quarantined') then
  return false
end
local renewed = {}
for i = 6, #ARGV, 2 do
  renewed[ARGV[i]] = ARGV[i + 1]
end
redis.call('ZREM', key(state), id)
shiftTotals(state, tonumber(found[4]), found[5], -1)
local gone = renewCoins(found[3], renewed, now)
flushTotals()
if gone > 0 then
  redis.call('HINCRBY', totalsKey, 'smashed', gone)
end
redis.call('HINCRBY', totalsKey, 'gasCharged', ARGV[5])
if ARGV[3] == 'executed' then
  settleUsage(found[7], ARGV[5])
else
  releaseUsage(found[7])
end
unlockInputs(found[11])
if found[8] then
  giveBackCallerUse(found[9], found[4], found[10])
end
redis.call('HSET', reservation, 'state', ARGV[3] == 'executed' and 'executed' or 'expired')
redis.call('HDEL', reservation, 'coins', 'count', 'sum', 'bytes', 'signature', 'waiters', 'lease', 'holds',
  'counted', 'inputs')
redis.call('PEXPIRE', reservation, ARGV[4])
return found[6] or ''
