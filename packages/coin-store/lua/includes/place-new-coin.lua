-- Places a coin that is new to the pool.
local function placeNewCoin(coin)
  shiftTotal('funds', string.match(coin, COIN), 1)
  placeCoin(coin)
end
