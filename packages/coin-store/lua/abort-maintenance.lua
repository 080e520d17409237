-- maintenance -> where the coins came from: the transaction was never signed, or is certainly refused.
--
-- KEYS[1]  prefix of the pool
-- ARGV     operation id, digest that it is bound to, '' when it is bound to none
-- Returns  1, or 0 when the operation is over or bound to another transaction: whoever aborts it may be late
--@include key
--@include shift-totals
--@include place-coin
--@include place-coins
--@include leave-maintenance
if (redis.call('HGET', key('operation:' .. ARGV[1]), 'digest') or '') ~= ARGV[2] then
  return 0
end
local coins = leaveMaintenance(ARGV[1])
if not coins then
  return 0
end
placeCoins(coins)
flushTotals()
return 1
