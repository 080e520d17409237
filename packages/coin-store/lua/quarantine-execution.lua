-- executing -> quarantined: refused over an object, so that validators may hold the coins for this transaction.
-- For one that is quarantined already, notes the sponsor's own transaction that is about to move its coins on, and the
-- later epoch of that.
--
-- KEYS[1]  prefix of the pool
-- ARGV     reservation id, digest, fence, the ledger's message, the ledger's epoch, digest of
--          the sponsor's own transaction or ''
-- Returns  false when the claim has moved on or is quarantined already, otherwise the waiters (gateway|type,…)
--@include key
--@include now
--@include shift-totals
local id = ARGV[1]
local reservation = key('reservation:' .. id)
local found = redis.call('HMGET', reservation, 'state', 'digest', 'fence', 'count', 'sum', 'waiters', 'quarantineEpoch')
if found[1] == 'quarantined' and found[2] == ARGV[2] and found[3] == ARGV[3] then
  if tonumber(ARGV[5]) > tonumber(found[7]) then
    redis.call('HSET', reservation, 'quarantineEpoch', ARGV[5])
  end
  if ARGV[6] ~= '' then
    redis.call('HSET', reservation, 'movedOnBy', ARGV[6])
  end
  return false
end
if found[1] ~= 'executing' or found[2] ~= ARGV[2] or found[3] ~= ARGV[3] then
  return false
end
redis.call('HSET', reservation, 'state', 'quarantined', 'refusedDigest', ARGV[2], 'refusedFence', ARGV[3],
  'refusal', ARGV[4], 'quarantineEpoch', ARGV[5])
redis.call('HDEL', reservation, 'waiters')
redis.call('ZREM', key('executing'), id)
redis.call('ZADD', key('quarantined'), now(), id)
shiftTotals('executing', tonumber(found[4]), found[5], -1)
shiftTotals('quarantined', tonumber(found[4]), found[5], 1)
flushTotals()
return found[6] or ''
