-- Corrects a coin that the ledger shows changed or gone: another application used it, or Redis lost the
-- transaction. Changes only a coin that no transaction in flight uses, also a withheld one; an unused
-- reservation that holds it ends.
--
-- KEYS[1]  prefix of the pool
-- ARGV     objectId, the coin when it was compared, the coin now ('': gone), the reservation that holds it or
--          '', retention of that reservation's outcome in ms, why transactions are missing, what the ledger
--          no longer explains of the difference of the balances, and the transactions that explain the rest
--          (includes/found-transactions.lua)
-- Returns  1, or 0 when the coin has changed since it was compared
local objectId, before, after, holder, retentionMs, cause, unexplained = take(7)
local found = takeFound()
requireAmount(unexplained)

-- Removes a coin from the list that holds it; returns whether it was there.
local function takeCoin(coin)
  local balance, place = string.match(coin, COIN)
  local resting, taken
  if place == 'd' then
    resting, taken = 'dust', redis.call('LREM', key('dust'), '1', coin)
  elseif place == 't' then
    resting, taken = 'treasury', redis.call('ZREM', key('treasury'), coin)
  else
    taken = redis.call('LREM', key('available:' .. place), '1', coin)
  end
  if taken == 1 and resting then
    shiftTotal(resting .. ':balance', balance, -1)
  end
  return taken == 1
end

-- Takes a coin that is withheld, wherever it would be placed; returns whether it was.
local function takeWithheld()
  local operation = 'lost-' .. objectId
  local coin = redis.call('HGET', key('operation:' .. operation), 'coins')
  local balance, _, _, version = string.match(before, COIN)
  local heldBalance, _, _, heldVersion = string.match(coin or '', COIN)
  return heldBalance == balance and heldVersion == version and leaveMaintenance(operation) ~= nil
end

-- The transaction that the reservation was bound to before Redis lost that.
local bound
for _, one in ipairs(found) do
  bound = bound or (one.isBound and one)
end

if holder ~= '' then
  local reservation = readReservation(holder)
  if not reservation or reservation.state ~= 'reserved' or
    not string.find(',' .. reservation.coins .. ',', ',' .. before .. ',', 1, true) then
    return 0
  end
  -- Its index has lost it: rebuild-pool.lua places its coins.
  if redis.call('ZREM', key('reserved'), holder) == 0 then
    return 0
  end
  shiftReserved(reservation, -1)
  if bound then
    local settled = { digest = bound.digest, at = bound.at, result = bound.result, counted = '0',
      rebuilt = { rebuiltFields(bound, cause) } }
    endReservation(reservation, 'executed', retentionMs, settled)
  else
    endReservation(reservation, 'expired', retentionMs)
  end
  flushCoins()
end
if not takeCoin(before) and not takeWithheld() then
  flushCoins()
  flushOutcomes()
  return 0
end
shiftTotal('funds', balanceOf(before), -1)
if after == '' then
  forgetCoins({ objectId })
else
  placeNewCoin(after)
end
countFound(found, cause, unexplained, bound)
flushCoins()
flushOutcomes()
return 1
