-- Operations of the sponsor's own: hash `operation:<id>`, and its lease in `maintenance`.

local function writeOperation(operationId, kind, coins, leaseEnd, ...)
  redis.call('HSET', key('operation:' .. operationId), 'kind', kind, 'coins', coins, 'begun', decimal(now()), ...)
  redis.call('ZADD', key('maintenance'), 'NX', decimal(leaseEnd), operationId)
end

local function removeOperation(operationId)
  redis.call('DEL', key('operation:' .. operationId))
  redis.call('ZREM', key('maintenance'), operationId)
end

-- Takes the `most` largest coins out of the treasury.
local function takeTreasury(most)
  local taken = redis.call('ZREVRANGE', key('treasury'), 0, most - 1)
  if #taken > 0 then
    redis.call('ZREM', key('treasury'), unpack(taken))
  end
  return taken
end

-- Moves coins that were taken from their places into `maintenance`, for an operation; returns them (coin,…).
local function enterMaintenance(operationId, kind, coins, leaseMs)
  local list = table.concat(coins, ',')
  for balance, place in eachCoin(list) do
    if place == 'd' then
      shiftTotal('dust:balance', balance, -1)
    elseif place == 't' then
      shiftTotal('treasury:balance', balance, -1)
    end
    shiftTotal('maintenance:coins', '1', 1)
    shiftTotal('maintenance:balance', balance, 1)
  end
  writeOperation(operationId, kind, list, now() + tonumber(leaseMs))
  flushTotals()
  return list
end

-- Longer than an epoch, for coin-pools that do not know withheld coins and return them when their lease is
-- over.
local WITHHELD_MS = 172800000

-- Withholds a coin that a lost transaction may have been signed for, or has changed, until it is compared
-- with the ledger (renew-coin.lua), or a later epoch begins (rebuild-pool.lua).
local function withholdCoin(coin, epoch)
  local balance, _, objectId = string.match(coin, COIN)
  writeOperation('lost-' .. objectId, 'lost', coin, now() + WITHHELD_MS, 'epoch', epoch)
  shiftTotal('maintenance:coins', '1', 1)
  shiftTotal('maintenance:balance', balance, 1)
end

-- Removes an operation's coins from `maintenance`; returns them (coin,…), or nil when it is over already.
-- Unless `mayBeSent`, an amount that its transaction would have sent is left of the order again.
local function leaveMaintenance(operationId, mayBeSent)
  local found = redis.call('HMGET', key('operation:' .. operationId), 'coins', 'kind', 'amount')
  local coins, kind, amount = unpack(found)
  if not coins then
    return nil
  end
  for balance in eachCoin(coins) do
    shiftTotal('maintenance:coins', '1', -1)
    shiftTotal('maintenance:balance', balance, -1)
  end
  if kind == 'withdrawal' and (amount or '0') ~= '0' and not mayBeSent then
    redis.call('HINCRBY', key('withdrawal'), 'left', amount)
  end
  removeOperation(operationId)
  return coins
end

-- Whether a reservation or an operation has coins of the pool.
local function hasHolders()
  for _, state in ipairs({ 'reserved', 'claimed', 'executing', 'quarantined', 'maintenance' }) do
    if redis.call('ZCARD', key(state)) > 0 then
      return true
    end
  end
  return false
end
