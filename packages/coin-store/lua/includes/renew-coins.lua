-- Places the coins of a list after a transaction that cost `gas` (decimal text): those named in `renewed` (objectId ->
-- coin) at their new versions; all others are gone. Reads the clock only if one is gone.
local SMALL_BALANCE = 13

local function renewCoins(coins, renewed, gas, clock)
  -- The change of the funds; balances of this few digits add up exactly, 255 of them and more.
  local gain, gone = 0, {}
  local function count(balance, direction)
    if #balance <= SMALL_BALANCE then
      gain = gain + direction * balance
    else
      shiftTotal('funds', balance, direction)
    end
  end
  for balance, objectId in string.gmatch(coins, '(%d+):%w+:([^:]+):[^,]+') do
    count(balance, -1)
    local coin = renewed[objectId]
    if coin then
      count(string.match(coin, '^%d+'), 1)
      placeCoin(coin)
    else
      gone[#gone + 1] = objectId
    end
  end
  count(gas, 1)
  if gain ~= 0 then
    shiftTotal('funds', string.format('%.0f', gain), 1)
  end
  shiftTotal('gasCharged', gas, 1)
  if #gone > 0 then
    shiftTotal('smashed', tostring(#gone), 1)
    forgetCoins(gone, string.format('%.0f', clock()))
  end
end
