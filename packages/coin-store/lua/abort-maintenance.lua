-- maintenance -> the coins' previous places: the transaction was never signed, or its only submission is certainly
-- refused.
--
-- KEYS[1]  prefix of the pool
-- ARGV     operation id, digest of its bound transaction, '' without one
-- Returns  1, or 0 when the operation is over, bound to another transaction, or submitted by another process too
--@include key
--@include shift-totals
--@include place-coin
--@include place-coins
--@include leave-maintenance
local found = redis.call('HMGET', key('operation:' .. ARGV[1]), 'digest', 'resumed')
if (found[1] or '') ~= ARGV[2] or found[2] then
  return 0
end
local coins = leaveMaintenance(ARGV[1])
if not coins then
  return 0
end
placeCoins(coins)
flushTotals()
return 1
