-- Binds an operation to its transaction, before that is signed. After that only the ledger's outcome ends it.
-- A repeated call renews the lease and marks the operation as resumed: a refusal then proves nothing about
-- the earlier submission. What a withdrawal sends is taken off the rest of the ordered amount, so that
-- transactions together never send more; and none is bound once its order has ended.
--
-- KEYS[1]  prefix of the pool
-- ARGV     operation id, digest, transaction bytes, lease in ms, balance of each coin it makes (0: it makes
--          none)
-- Returns  the watermark, or 0 when the operation is over or bound to another transaction, its order has
--          ended, or it would send more than is left of the order
local operationId, digest, bytes, leaseMs, amount = unpack(ARGV)
local operation = key('operation:' .. operationId)
local found = redis.call('HMGET', operation, 'coins', 'digest', 'kind')
if not found[1] or (found[2] and found[2] ~= digest) then
  return 0
end
local isWithdrawal = found[3] == 'withdrawal'
local sends = isWithdrawal and amount ~= '0'
if found[2] then
  redis.call('HSET', operation, 'resumed', 1)
elseif isWithdrawal and not isCurrent(readOrder()) then
  return 0
elseif sends and redis.call('HINCRBY', key('withdrawal'), 'left', '-' .. amount) < 0 then
  redis.call('HINCRBY', key('withdrawal'), 'left', amount)
  return 0
end
-- An operation with a digest and without `bytes` is left alone by processes that know no amounts.
redis.call('HSET', operation, 'digest', digest, sends and 'payment' or 'bytes', bytes, 'amount', amount)
redis.call('ZADD', key('maintenance'), decimal(now() + tonumber(leaseMs)), operationId)
return redis.call('INCR', key('watermark'))
