-- A coin is written `balance:place:objectId:version:digest`. Its place is where unused coins wait: `d` (dust), `t` (treasury) or
-- the number of its class of balance.
local COIN = '^(%d+):(%w+):([^:]+)'

-- Puts a coin in its place and counts it there.
local function placeCoin(coin)
  local balance, place = string.match(coin, COIN)
  if place == 'd' then
    redis.call('RPUSH', key('dust'), coin)
    shiftTotal('dust:balance', balance, 1)
  elseif place == 't' then
    redis.call('ZADD', key('treasury'), balance, coin)
    shiftTotal('treasury:balance', balance, 1)
  elseif redis.call('RPUSH', key('available:' .. place), coin) == 1 then
    redis.call('SETRANGE', key('classes'), place, '1')
  end
end
