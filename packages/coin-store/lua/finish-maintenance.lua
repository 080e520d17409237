-- maintenance -> the place of each coin: the ledger has executed the split or consolidation, or an operation
-- ends without effects.
--
-- KEYS[1]  prefix of the pool
-- ARGV     operation id, gas charged, 1 when an amount may have left with its coins, the epoch ('' where no
--          coin is withheld), a list of the coins that are still the sponsor's, one of those that are
--          withheld since the pool does not know what has changed them, and one of the new coins (two each:
--          objectId, coin)
-- Returns  1, or 0 when it was finished before
local operationId, gas, mayBeSent, epoch = take(4)
local coins = leaveMaintenance(operationId, mayBeSent == '1')
if not coins then
  return 0
end
local returned, withheld = takePairs(), takePairs()
renewCoins(coins, returned, gas, withheld, epoch)
local made = takeRecords(2)
for _, created in ipairs(made) do
  adoptCoin(unpack(created))
end
if #made > 0 then
  shiftTotal('made', decimal(#made), 1)
end
flushCoins()
return 1
