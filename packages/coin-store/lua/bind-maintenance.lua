-- Binds an operation to its transaction, before that is signed. After that only the ledger's outcome ends it. A
-- repeated call renews the lease and marks the operation as resumed: a refusal then proves nothing about the earlier
-- submission.
--
-- KEYS[1]  prefix of the pool
-- ARGV     operation id, digest, transaction bytes, lease in ms, balance of each coin it makes (0: it makes none)
-- Returns  the watermark, or 0 when the operation is over or bound to another transaction
--@include key
--@include now
--@include raise-watermark
local operation = key('operation:' .. ARGV[1])
local found = redis.call('HMGET', operation, 'coins', 'digest')
if not found[1] or (found[2] and found[2] ~= ARGV[2]) then
  return 0
end
if found[2] then
  redis.call('HSET', operation, 'resumed', 1)
end
redis.call('HSET', operation, 'digest', ARGV[2], 'bytes', ARGV[3], 'amount', ARGV[5])
redis.call('ZADD', key('maintenance'), string.format('%.0f', now() + tonumber(ARGV[4])), ARGV[1])
return raiseWatermark()
