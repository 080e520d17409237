-- Puts every coin of a list (coin,coin) back in its place, unchanged.
local function placeCoins(coins)
  for coin in string.gmatch(coins, '[^,]+') do
    placeCoin(coin)
  end
end
