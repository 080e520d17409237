-- maintenance -> the coins' previous places: the transaction was never signed, or its only submission is
-- certainly refused.
--
-- KEYS[1]  prefix of the pool
-- ARGV     operation id, digest of its bound transaction, '' without one
-- Returns  1, or 0 when the operation is over, bound to another transaction, or submitted by another process
--          too
local operationId, digest = unpack(ARGV)
local found = redis.call('HMGET', key('operation:' .. operationId), 'digest', 'resumed')
if (found[1] or '') ~= digest or found[2] then
  return 0
end
local coins = leaveMaintenance(operationId)
if not coins then
  return 0
end
placeCoins(coins)
flushCoins()
return 1
