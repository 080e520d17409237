-- Corrects a coin that the ledger shows changed or gone: another application used it, or Redis lost the transaction.
-- Changes only a coin that no transaction in flight uses; an unused reservation that holds it ends.
--
-- KEYS[1]  prefix of the pool
-- ARGV     objectId, the coin when it was compared, the coin now ('': gone), the reservation that holds it or '',
--          retention of that reservation's outcome in ms
-- Returns  1, or 0 when the coin has changed since it was compared
--@include key
--@include now
--@include shift-totals
--@include shift-reserved
--@include place-coin
--@include place-coins
--@include reservation
--@include write-outcome
--@include all-users
--@include release-caller-use
--@include end-reservation
--@include place-new-coin
--@include forget-coins
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

local objectId, thought, after, holder = ARGV[1], ARGV[2], ARGV[3], ARGV[4]
if holder ~= '' then
  local state, fence, _, reserved, _, refusal = readReservation(holder)
  if state ~= 'reserved' then
    return 0
  end
  local _, _, _, _, count, sum, _, coins = readReserved(reserved)
  if not string.find(',' .. coins .. ',', ',' .. thought .. ',', 1, true) then
    return 0
  end
  -- Its index has lost it: rebuild-pool.lua places its coins.
  if redis.call('ZREM', key('reserved'), holder) == 0 then
    return 0
  end
  shiftReserved(count, sum, -1)
  endReservation(holder, 'expired', fence, reserved, refusal, ARGV[5])
end
if not takeCoin(thought) then
  flushTotals()
  return 0
end
shiftTotal('funds', string.match(thought, '^%d+'), -1)
if after == '' then
  forgetCoins({ objectId }, string.format('%.0f', now()))
else
  placeNewCoin(after)
end
flushTotals()
return 1
