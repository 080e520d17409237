-- claimed -> executing: the caller is about to sign. From here on only the ledger's word returns the coins.
--
-- KEYS[1]  prefix of the pool
-- ARGV     reservation id, digest, fence, executor
-- Returns  false when the claim is not there any more, otherwise {state before, bytes, signature, budget, coins,
--          message and epoch of the quarantine or '', digest of the sponsor's own transaction that moves the coins on or '',
--          caller, name of the access rule}
--@include key
--@include now
--@include shift-totals
local id = ARGV[1]
local reservation = key('reservation:' .. id)
local found = redis.call('HMGET', reservation, 'state', 'digest', 'fence', 'bytes', 'signature', 'budget', 'coins',
  'count', 'sum', 'refusal', 'quarantineEpoch', 'movedOnBy', 'caller', 'rule')
local state = found[1]
if found[2] ~= ARGV[2] or found[3] ~= ARGV[3] then
  return false
end
if state ~= 'claimed' and state ~= 'executing' and state ~= 'quarantined' then
  return false
end
if state == 'claimed' then
  redis.call('HSET', reservation, 'state', 'executing', 'executor', ARGV[4], 'begun', now())
  redis.call('ZREM', key('claimed'), id)
  shiftTotals('claimed', tonumber(found[8]), found[9], -1)
  shiftTotals('executing', tonumber(found[8]), found[9], 1)
  flushTotals()
else
  -- Two may be at work now: what the ledger tells one of them no longer speaks for the other.
  redis.call('HSET', reservation, 'executor', ARGV[4], 'resumed', 1)
end
-- The time is renewed, so that the reconciler leaves what is being worked on alone.
redis.call('ZADD', key(state == 'quarantined' and 'quarantined' or 'executing'), now(), id)
return { state, found[4], found[5], found[6], found[7], found[10] or '', found[11] or '', found[12] or '',
  found[13], found[14] or '' }
