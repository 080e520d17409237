-- Corrects a coin that the ledger shows changed or gone, by somebody else's hand or by a transaction that was forgotten.
-- Only a coin at rest or in an unused reservation is touched; such a reservation ends, since it cannot pay any more.
--
-- KEYS[1]  prefix of the pool
-- ARGV     objectId, the coin as it is thought to be, as it is now ('': gone), the reservation that holds it or '',
--          retention of what is left of that in ms
-- Returns  1, or 0 when the coin is no longer as it was thought to be
--@include key
--@include now
--@include shift-totals
--@include shift-reserved
--@include place-coin
--@include place-coins
--@include reservation
--@include write-outcome
--@include give-back-caller-use
--@include end-reservation
--@include bring-coin
--@include forget-coins
-- Takes a coin that rests away; returns whether it was there.
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
  redis.call('ZREM', key('reserved'), holder)
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
  bringCoin(after)
end
flushTotals()
return 1
