-- maintenance -> where the coins came from: the transaction was never signed, or is certainly refused.
--
-- KEYS[1]  prefix of the pool
-- ARGV     operation id
-- Returns  1, or 0 when the operation is over
--@include key
--@include shift-totals
--@include place-coin
--@include place-coins
--@include leave-maintenance
local coins = leaveMaintenance(ARGV[1])
if not coins then
  return 0
end
placeCoins(coins)
flushTotals()
return 1
