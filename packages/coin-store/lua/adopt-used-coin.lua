-- Adopts a coin that has paid for transactions since it came to the sponsor, all of which Redis has lost.
--
-- KEYS[1]  prefix of the pool
-- ARGV     objectId, coin, cause: why transactions are missing, and the transactions
--          (includes/found-transactions.lua)
-- Returns  1, or 0 for a coin that is not new, or while keys of the pool are lost (adopt-coins.lua)
local objectId, coin, cause = take(3)
local found = takeFound()
if not isWhole() or not adoptCoin(objectId, coin) then
  return 0
end
countFound(found, cause, '0')
flushCoins()
return 1
