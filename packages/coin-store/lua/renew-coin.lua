-- Corrects a coin that the ledger shows changed or gone: another application used it, or Redis lost the transaction.
-- Changes only a coin that no transaction in flight uses; an unused reservation that holds it ends.
--
-- KEYS[1]  prefix of the pool
-- ARGV     objectId, the coin when it was compared, the coin now ('': gone), the reservation that holds it or '',
--          retention of that reservation's outcome in ms
-- Returns  1, or 0 when the coin has changed since it was compared
local objectId, before, after, holder, retentionMs = unpack(ARGV)

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
  endReservation(reservation, 'expired', retentionMs)
end
if not takeCoin(before) then
  flushTotals()
  return 0
end
shiftTotal('funds', balanceOf(before), -1)
if after == '' then
  forgetCoins({ objectId })
else
  placeNewCoin(after)
end
flushTotals()
return 1
