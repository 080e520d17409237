-- maintenance -> the place of each coin: the ledger has executed the split or consolidation.
--
-- KEYS[1]  prefix of the pool
-- ARGV     operation id, gas charged, a list of the coins that are still the sponsor's and one of the new coins (two each:
--          objectId, coin)
-- Returns  1, or 0 when it was finished before
--@include arguments
--@include maintenance
local operationId, gas = take(2)
local coins = leaveMaintenance(operationId)
if not coins then
  return 0
end
local returned, created, renewed = takeList(), takeList(), {}
for i = 1, #returned, 2 do
  renewed[returned[i]] = returned[i + 1]
end
renewCoins(coins, renewed, gas)
for i = 1, #created, 2 do
  adoptCoin(created[i], created[i + 1])
end
flushTotals()
return 1
