-- Adopts coins of the sponsor (see adoptCoin of includes/coins.lua for the coins that are not adopted).
--
-- KEYS[1]  prefix of the pool
-- ARGV     two per coin: objectId, coin
-- Returns  number of new coins; 0 while keys of the pool are lost (includes/whole.lua), since a coin that
--          looks new may be bound to a transaction
if not isWhole() then
  return 0
end
local adopted = 0
while hasMore() do
  if adoptCoin(take(2)) then
    adopted = adopted + 1
  end
end
flushCoins()
return adopted
