-- Lets every coin of a list (coin,coin) rest again, unchanged.
local function placeCoins(coins)
  for coin in string.gmatch(coins, '[^,]+') do
    placeCoin(coin)
  end
end
