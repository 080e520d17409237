-- A coin is written `balance:place:objectId:version:digest`; a list of coins is comma-separated. The place is
-- where an unused coin waits: `d` (dust), `t` (treasury) or the number of its class of balance.
local COIN = '(%d+):(%w+):(%w+):(%d+):%w+'

local function balanceOf(coin)
  return (string.match(coin, '^%d+'))
end

-- Iterates over a list: balance, place, objectId and version of each coin.
local function eachCoin(coins)
  return string.gmatch(coins, COIN)
end

-- Coins that flushCoins is to put in their lists, by place.
local arriving = {}
local COINS_AT_ONCE = 1000

-- Puts a coin in its place, and counts it there, once flushCoins is called.
local function placeCoin(coin)
  local balance, place = string.match(coin, '^(%d+):(%w+)')
  if place == 't' then
    redis.call('ZADD', key('treasury'), balance, coin)
    shiftTotal('treasury:balance', balance, 1)
    return
  elseif place == 'd' then
    shiftTotal('dust:balance', balance, 1)
  end
  local coins = arriving[place] or {}
  arriving[place] = coins
  noteUndo({ coins, #coins + 1, nil })
  coins[#coins + 1] = coin
end

local function flushCoins()
  for place, coins in pairs(arriving) do
    local list = place == 'd' and key('dust') or key('available:' .. place)
    for first = 1, #coins, COINS_AT_ONCE do
      local last = math.min(first + COINS_AT_ONCE - 1, #coins)
      local length = redis.call('RPUSH', list, unpack(coins, first, last))
      if place ~= 'd' and length == last - first + 1 then
        redis.call('SETRANGE', key('classes'), place, '1')
      end
    end
    arriving[place] = nil
  end
  flushTotals()
end

-- Puts every coin of a list back in its place, unchanged.
local function placeCoins(coins)
  for coin in string.gmatch(coins, '[^,]+') do
    placeCoin(coin)
  end
end

-- Places a coin that is new to the pool.
local function placeNewCoin(coin)
  shiftTotal('funds', balanceOf(coin), 1)
  placeCoin(coin)
end

-- Adopts a coin, unless the pool has it already or had it recently. The caller may be late: a node that lags
-- lists coins that have been smashed since, and a split that another process finishes may have made coins
-- that were adopted from a listing, paid for transactions and are gone. Returns whether the coin is new.
local function adoptCoin(objectId, coin)
  if redis.call('ZSCORE', key('gone'), objectId) or redis.call('SADD', key('coins'), objectId) == 0 then
    return false
  end
  placeNewCoin(coin)
  return true
end

-- Drops coins from the pool permanently; an outdated listing of a node must not bring them back.
local function forgetCoins(objectIds)
  local time = decimal(now())
  local gone = {}
  for index, objectId in ipairs(objectIds) do
    gone[2 * index - 1] = time
    gone[2 * index] = objectId
  end
  redis.call('SREM', key('coins'), unpack(objectIds))
  redis.call('ZADD', key('gone'), unpack(gone))
end

-- Places the coins of a list after a transaction that cost `gas`: those in `renewed` (objectId -> coin) at
-- their new versions; those in `withheld` are withheld, since `epoch`; all others are gone.
local function renewCoins(coins, renewed, gas, withheld, epoch)
  local SMALL_DIGITS = 13
  withheld = withheld or {}
  -- The change of the funds; balances of this few digits add up exactly, 255 of them and more.
  local gain, gone = 0, {}
  local function count(balance, direction)
    if #balance <= SMALL_DIGITS then
      gain = gain + direction * balance
    else
      shiftTotal('funds', balance, direction)
    end
  end
  for balance, _, objectId in eachCoin(coins) do
    count(balance, -1)
    local coin = renewed[objectId]
    if coin then
      count(balanceOf(coin), 1)
      placeCoin(coin)
    elseif withheld[objectId] then
      count(balance, 1)
      withholdCoin(withheld[objectId], epoch)
    else
      gone[#gone + 1] = objectId
    end
  end
  count(gas, 1)
  if gain ~= 0 then
    shiftTotal('funds', decimal(gain), 1)
  end
  shiftTotal('gasCharged', gas, 1)
  if #gone > 0 then
    shiftTotal('smashed', tostring(#gone), 1)
    forgetCoins(gone)
  end
end
