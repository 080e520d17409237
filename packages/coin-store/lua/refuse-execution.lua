-- executing -> reserved (or available past the deadline): the ledger refused the transaction for certain.
--
-- KEYS[1]  prefix of the pool
-- ARGV     reservation id, digest, fence, the ledger's message, retention in ms
-- Returns  false when the claim has moved on or a second executor has begun it, who may have submitted the transaction
--          since; otherwise the waiters (gateway|type,…)
--@include key
--@include now
--@include shift-totals
--@include place-coin
--@include usage
--@include input-locks
--@include caller-use
--@include end-reservation
--@include reopen-reservation
local id = ARGV[1]
local reservation = key('reservation:' .. id)
local found = redis.call('HMGET', reservation, 'state', 'digest', 'fence', 'coins', 'count', 'sum', 'waiters', 'deadline',
  'resumed')
if found[1] ~= 'executing' or found[2] ~= ARGV[2] or found[3] ~= ARGV[3] or found[9] then
  return false
end
redis.call('HSET', reservation, 'refusedDigest', ARGV[2], 'refusedFence', ARGV[3], 'refusal', ARGV[4])
redis.call('ZREM', key('executing'), id)
shiftTotals('executing', tonumber(found[5]), found[6], -1)
reopenReservation(id, found[8], found[4], found[5], found[6], now(), ARGV[5])
flushTotals()
return found[7] or ''
