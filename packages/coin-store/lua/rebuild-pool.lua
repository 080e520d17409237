-- Rebuilds the parts of a pool that follow from its other parts and from the ledger: places coins in no
-- state, and rebuilds indexes, locks and totals. Only `totals` holds the paid gas and the numbers of smashed
-- and made coins.
--
-- A coin in no state may be one that a transaction was signed for. Unless the remaining data proves that no
-- transaction in flight was lost, the coin is withheld: an operation of kind `lost` has it until a later
-- epoch, or until renew-coin.lua has counted the transactions that made the later version which the ledger
-- shows.
--
-- KEYS[1]  prefix of the pool
-- ARGV     the ledger's epoch, 1 to place coins in no state (the pool is suspended), a list of reservations
--          that the indexes may lack, a list of gone coins (objectId), then two per coin on the ledger:
--          objectId, coin
-- Returns  {number of placed coins, number of withheld coins, 1 when the pool is whole or 0}
-- The class of the largest balance is below.
local CLASSES = 512
local epochText, mayPlace = take(2)
local epoch = tonumber(epochText)
local named, goneFromLedger = takeList(), takeList()
local stored = redis.call('HMGET', key('totals'), 'funds', 'gasCharged', 'maintenance:coins', 'reserved:balance',
  'reserved:further')
local seen = {}
-- Whether coins may have been in an operation, or in a reservation, that is lost.
local lost = redis.call('GET', key('lost')) or ''
local isMaintenanceLost = not stored[1] or string.find(lost, 'maintenance', 1, true) ~= nil
local isClaimLost = not stored[1] or string.find(lost, 'claim', 1, true) ~= nil

local function shiftSum(name, balance)
  shiftTotal(name, balance, 1)
  shiftTotal('funds', balance, 1)
end

-- All totals that can be recounted are recounted.
for _, name in ipairs({ 'funds', 'maintenance:coins', 'reserved:further', 'dust:balance', 'treasury:balance',
  'maintenance:balance', 'reserved:balance' }) do
  redis.call('HDEL', key('totals'), name)
end
shiftTotal('funds', stored[2] or '0', 1)

local function see(coins, name)
  local count = 0
  for balance, _, objectId in eachCoin(coins) do
    seen[objectId] = true
    count = count + 1
    if name then
      shiftSum(name, balance)
    else
      shiftTotal('funds', balance, 1)
    end
  end
  return count
end

-- A reservation that its index lacks is added again: its job or its locks name it.
local function indexAgain(id)
  local reservation = readReservation(id)
  if not reservation then
    isClaimLost = true
  elseif reservation.state == 'reserved' then
    redis.call('ZADD', key('reserved'), reservation.deadline, id)
  elseif reservation.state == 'claimed' then
    redis.call('ZADD', key('claimed'), 'NX', reservation.claim.lease, memberOf(reservation))
  elseif isInFlight(reservation) then
    redis.call('ZADD', key(reservation.state), 'NX', reservation.begun, memberOf(reservation))
  end
end
for _, id in ipairs(named) do
  indexAgain(id)
end
local locks = redis.call('HGETALL', key('inputs'))
for index = 2, #locks, 2 do
  indexAgain(locks[index])
end

-- Holders of coins: transactions in flight first.
redis.call('DEL', key('inputs'))
for _, state in ipairs({ 'executing', 'quarantined', 'claimed' }) do
  for _, member in ipairs(redis.call('ZRANGE', key(state), 0, -1)) do
    local id = idOf(member)
    local reservation = readReservation(id)
    if reservation and reservation.state == state then
      see(reservation.coins)
      for input in string.gmatch(reservation.claim.inputs, '[^,]+') do
        redis.call('HSET', key('inputs'), input, id)
      end
    else
      redis.call('ZREM', key(state), member)
      isClaimLost = isClaimLost or (not reservation and state ~= 'claimed')
    end
  end
end

local withheld, maintenanceCoins = {}, 0
for _, id in ipairs(redis.call('ZRANGE', key('maintenance'), 0, -1)) do
  local found = redis.call('HMGET', key('operation:' .. id), 'coins', 'kind', 'epoch')
  if not found[1] then
    redis.call('ZREM', key('maintenance'), id)
    isMaintenanceLost = true
  elseif found[2] == 'lost' then
    local _, _, objectId, version = string.match(found[1], COIN)
    withheld[objectId] = { id = id, coin = found[1], version = tonumber(version), epoch = tonumber(found[3]) }
    maintenanceCoins = maintenanceCoins + 1
  else
    local count = see(found[1], 'maintenance:balance')
    shiftTotal('maintenance:coins', decimal(count), 1)
    maintenanceCoins = maintenanceCoins + count
  end
end
isMaintenanceLost = isMaintenanceLost or maintenanceCoins < tonumber(stored[3] or 0)

for _, id in ipairs(redis.call('ZRANGE', key('reserved'), 0, -1)) do
  local reservation = readReservation(id)
  if reservation and reservation.state == 'reserved' then
    local count = see(reservation.coins, 'reserved:balance')
    if count > 1 then
      shiftTotal('reserved:further', decimal(count - 1), 1)
    end
  else
    redis.call('ZREM', key('reserved'), id)
  end
end
-- The index may have lost a reservation although it holds a later one again. Coin-pools that do not check the
-- index claim such a reservation, so its coins are withheld too.
flushCoins()
local counted = redis.call('HMGET', key('totals'), 'reserved:balance', 'reserved:further', 'funds')
isClaimLost = isClaimLost or (counted[1] or '0') ~= (stored[4] or '0') or (counted[2] or '0') ~= (stored[5] or '0')
-- Totals that were lost and rebuilt since prove nothing.
if tonumber(stored[1] or 0) < tonumber(counted[3] or 0) then
  isMaintenanceLost, isClaimLost = true, true
end

-- Coins at rest, without those that a holder above has.
local function isElsewhere(coin)
  local _, _, objectId = string.match(coin, COIN)
  if seen[objectId] then
    return true
  end
  seen[objectId] = true
  return false
end
local function restInList(name, total)
  for _, coin in ipairs(redis.call('LRANGE', key(name), 0, -1)) do
    local balance = balanceOf(coin)
    if isElsewhere(coin) then
      redis.call('LREM', key(name), -1, coin)
    elseif total then
      shiftSum(total, balance)
    else
      shiftTotal('funds', balance, 1)
    end
  end
end
restInList('dust', 'dust:balance')
for _, coin in ipairs(redis.call('ZRANGE', key('treasury'), 0, -1)) do
  if isElsewhere(coin) then
    redis.call('ZREM', key('treasury'), coin)
  else
    shiftSum('treasury:balance', balanceOf(coin))
  end
end
local classes = {}
for class = 0, CLASSES - 1 do
  restInList('available:' .. class)
  classes[class + 1] = redis.call('EXISTS', key('available:' .. class)) == 1 and '1' or '0'
end
redis.call('SET', key('classes'), string.match(table.concat(classes), '^(.-)0*$'))

-- Coins in no state.
local gone = {}
for _, objectId in ipairs(goneFromLedger) do
  if not seen[objectId] then
    gone[#gone + 1] = objectId
    forgetCoins({ objectId })
  end
end
local placed, held = 0, 0
local function withhold(objectId, coin, inEpoch)
  withholdCoin(coin, decimal(inEpoch))
  shiftTotal('funds', balanceOf(coin), 1)
  seen[objectId] = true
  held = held + 1
end
local function place(objectId, coin)
  shiftTotal('funds', balanceOf(coin), 1)
  placeCoin(coin)
  seen[objectId] = true
  placed = placed + 1
end
while hasMore() do
  local objectId, coin = take(2)
  local hold = withheld[objectId]
  local _, rests, _, version = string.match(coin, COIN)
  if hold and not seen[objectId] and epoch > hold.epoch and tonumber(version) == hold.version then
    removeOperation(hold.id)
    withheld[objectId] = nil
    place(objectId, coin)
  elseif not hold and not seen[objectId] and mayPlace == '1' and not redis.call('ZSCORE', key('gone'), objectId) then
    local isSuspect = isMaintenanceLost or (isClaimLost and rests ~= 'd' and rests ~= 't')
    if isSuspect then
      withhold(objectId, coin, epoch)
    else
      place(objectId, coin)
    end
  end
end
for _, objectId in ipairs(gone) do
  if withheld[objectId] then
    removeOperation(withheld[objectId].id)
    withheld[objectId] = nil
  end
end
for objectId, hold in pairs(withheld) do
  if seen[objectId] then
    removeOperation(hold.id)
  else
    -- Only another network's epoch can be so far above the present one; the node may be an epoch behind.
    withhold(objectId, hold.coin, math.min(hold.epoch, epoch + 1))
  end
end
for objectId in pairs(seen) do
  redis.call('SADD', key('coins'), objectId)
end
flushCoins()
if isWhole() then
  redis.call('DEL', key('lost'))
  return { placed, held, 1 }
end
-- A later call places coins that the ledger has not shown yet; it does not find further traces of the loss.
redis.call('SET', key('lost'), (isMaintenanceLost and 'maintenance ' or '') .. (isClaimLost and 'claim' or ''))
return { placed, held, 0 }
