-- reserved -> claimed: binds a reservation to one transaction. From here on the deadline no longer applies, a lease does.
--
-- KEYS[1]  prefix of the pool
-- ARGV     reservation id, caller, digest, transaction bytes, user's signature, waiter, lease in ms, name of the access
--          rule that allowed it, number of inputs that no other transaction may use, these (objectId:version), then
--          eight per counter that is to be checked (includes/usage.lua)
-- Returns  the fence of the new claim, or 'known' (this transaction has it already; the waiter is attached), 'unknown',
--          'expired', 'used'; {'locked', input, digest of the transaction that uses it}; or, when a counter does not stand as supposed, {used, ms its window lasts yet} of each
--@include key
--@include now
--@include shift-totals
--@include attach-waiter
--@include usage
--@include input-locks
local id = ARGV[1]
local reservation = key('reservation:' .. id)
local found = redis.call('HMGET', reservation, 'caller', 'state', 'deadline', 'digest', 'count', 'sum')
if found[1] ~= ARGV[2] then
  return 'unknown'
end
local state = found[2]
if state == 'expired' or state == 'released' then
  return 'expired'
end
if state ~= 'reserved' then
  if found[4] ~= ARGV[3] then
    return 'used'
  end
  if state == 'claimed' or state == 'executing' then
    attachWaiter(reservation, ARGV[6])
  end
  return 'known'
end
local at = now()
if tonumber(found[3]) <= at then
  return 'expired'
end
local inputs = tonumber(ARGV[9])
local locked, holder = findLockedInput(10, inputs, id)
if locked then
  return { 'locked', locked, redis.call('HGET', key('reservation:' .. holder), 'digest') or '' }
end
local holds, usages = holdUsage(10 + inputs, at)
if not holds then
  return usages
end
local lease = string.format('%.0f', at + tonumber(ARGV[7]))
redis.call('HSET', reservation, 'state', 'claimed', 'digest', ARGV[3], 'bytes', ARGV[4], 'signature', ARGV[5],
  'waiters', ARGV[6], 'lease', lease, 'rule', ARGV[8])
if holds ~= '' then
  redis.call('HSET', reservation, 'holds', holds)
end
lockInputs(reservation, 10, inputs, id)
redis.call('HDEL', reservation, 'refusedDigest', 'refusedFence', 'refusal', 'resumed')
redis.call('ZREM', key('reserved'), id)
redis.call('ZADD', key('claimed'), lease, id)
shiftTotals('reserved', tonumber(found[5]), found[6], -1)
shiftTotals('claimed', tonumber(found[5]), found[6], 1)
flushTotals()
return redis.call('HINCRBY', reservation, 'fence', 1)
