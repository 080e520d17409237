-- Binds an operation to its transaction, before that is signed. After that only the ledger's outcome ends it. A
-- repeated call renews the lease and marks the operation as resumed: a refusal then proves nothing about the earlier
-- submission.
--
-- KEYS[1]  prefix of the pool
-- ARGV     operation id, digest, transaction bytes, lease in ms, balance of each coin it makes (0: it makes none)
-- Returns  the watermark, or 0 when the operation is over or bound to another transaction
local operationId, digest, bytes, leaseMs, amount = unpack(ARGV)
local operation = key('operation:' .. operationId)
local found = redis.call('HMGET', operation, 'coins', 'digest')
if not found[1] or (found[2] and found[2] ~= digest) then
  return 0
end
if found[2] then
  redis.call('HSET', operation, 'resumed', 1)
end
redis.call('HSET', operation, 'digest', digest, 'bytes', bytes, 'amount', amount)
redis.call('ZADD', key('maintenance'), decimal(now() + tonumber(leaseMs)), operationId)
return redis.call('INCR', key('watermark'))
