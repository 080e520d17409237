-- Adopts coins of the sponsor (see includes/adopt-coin.lua for the coins that are not adopted).
--
-- KEYS[1]  prefix of the pool
-- ARGV     two per coin: objectId, coin
-- Returns  number of new coins; 0 while keys of the pool are lost (includes/is-whole.lua), since a coin that looks new
--          may be bound to a transaction
--@include key
--@include shift-totals
--@include place-coin
--@include place-new-coin
--@include adopt-coin
--@include classes
--@include is-whole
if not isWhole() then
  return 0
end
local adopted = 0
for i = 1, #ARGV, 2 do
  if adoptCoin(ARGV[i], ARGV[i + 1]) then
    adopted = adopted + 1
  end
end
flushTotals()
return adopted
