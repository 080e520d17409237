-- maintenance -> the place of each coin: the ledger has executed the split or consolidation.
--
-- KEYS[1]  prefix of the pool
-- ARGV     operation id, gas charged, number of coins that are still the sponsor's, then two per such coin and two per
--          new coin: objectId, coin
-- Returns  1, or 0 when it was finished before
--@include key
--@include now
--@include shift-totals
--@include place-coin
--@include place-new-coin
--@include adopt-coin
--@include forget-coins
--@include renew-coins
--@include leave-maintenance
local coins = leaveMaintenance(ARGV[1])
if not coins then
  return 0
end
local firstCreated = 4 + 2 * tonumber(ARGV[3])
local renewed = {}
for i = 4, firstCreated - 1, 2 do
  renewed[ARGV[i]] = ARGV[i + 1]
end
renewCoins(coins, renewed, ARGV[2], now)
for i = firstCreated, #ARGV, 2 do
  adoptCoin(ARGV[i], ARGV[i + 1])
end
flushTotals()
return 1
