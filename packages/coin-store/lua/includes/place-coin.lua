-- A coin's place is the last part of its record: `d` (dust), `t` (treasury) or the number of its class of balance.
local function stateOfPlace(place)
  if place == 'd' then
    return 'dust'
  elseif place == 't' then
    return 'treasury'
  end
  return 'available'
end

-- Lets a coin rest where its record says and counts it there.
local function placeCoin(objectId, record)
  local balance, place = string.match(record, ':(%d+):(%w+)$')
  if place == 'd' then
    redis.call('RPUSH', key('dust'), objectId)
  elseif place == 't' then
    redis.call('ZADD', key('treasury'), balance, objectId)
  elseif redis.call('RPUSH', key('available:' .. place), objectId) == 1 then
    redis.call('ZADD', key('classes'), place, place)
  end
  shiftTotals(stateOfPlace(place), 1, balance, 1)
end

-- Lets every coin of a list (objectId:record,objectId:record) rest again, unchanged.
local function placeCoins(coins)
  for objectId, record in string.gmatch(coins, '([^:,]+):([^,]+)') do
    placeCoin(objectId, record)
  end
end

-- A coin leaves the pool for good; a listing that lags behind must not bring it back.
local function forgetCoin(objectId, at)
  redis.call('HDEL', key('coins'), objectId)
  redis.call('ZADD', key('gone'), at, objectId)
end

-- Writes what a transaction made of a list of coins: those named in `renewed` (objectId -> record) rest with their new
-- record, all others are gone. Returns how many went; the clock is asked only if one does.
local function renewCoins(coins, renewed, clock)
  local gone, at = 0, nil
  for objectId in string.gmatch(coins, '([^:,]+):[^,]+') do
    local record = renewed[objectId]
    if record then
      redis.call('HSET', key('coins'), objectId, record)
      placeCoin(objectId, record)
    else
      at = at or clock()
      forgetCoin(objectId, at)
      gone = gone + 1
    end
  end
  return gone
end
