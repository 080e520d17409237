-- maintenance -> the place of each coin: the ledger has executed the split or consolidation, or an operation ends without
-- effects.
--
-- KEYS[1]  prefix of the pool
-- ARGV     operation id, gas charged, 1 when an amount may have left with its coins, a list of the coins that are still the
--          sponsor's and one of the new coins (two each: objectId, coin)
-- Returns  1, or 0 when it was finished before
local operationId, gas, mayBeSent = take(3)
local coins = leaveMaintenance(operationId, mayBeSent == '1')
if not coins then
  return 0
end
renewCoins(coins, takePairs(), gas)
local made = takeRecords(2)
for _, created in ipairs(made) do
  adoptCoin(unpack(created))
end
if #made > 0 then
  shiftTotal('made', decimal(#made), 1)
end
flushTotals()
return 1
