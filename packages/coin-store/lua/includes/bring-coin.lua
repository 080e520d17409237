-- A coin that the pool has not had comes to rest.
local function bringCoin(coin)
  shiftTotal('funds', string.match(coin, COIN), 1)
  placeCoin(coin)
end
