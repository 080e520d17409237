-- Corrects a coin that the ledger shows changed or gone, by somebody else's hand or by a transaction that was forgotten.
-- Only a coin at rest or in an unused reservation is touched; such a reservation ends, since it cannot pay any more.
--
-- KEYS[1]  prefix of the pool
-- ARGV     objectId, what it is thought to be (version:digest:balance), its new record ('': gone), the reservation that holds it or '',
--          retention of what is left of that in ms
-- Returns  1, or 0 when the coin is no longer as it was thought to be
--@include key
--@include now
--@include shift-totals
--@include place-coin
--@include caller-use
--@include end-reservation
local objectId, thought, after, holder = ARGV[1], ARGV[2], ARGV[3], ARGV[4]
local before = redis.call('HGET', key('coins'), objectId)
if not before or string.match(before, '^(.*):%w+$') ~= thought then
  return 0
end
if holder ~= '' then
  local found = redis.call('HMGET', key('reservation:' .. holder), 'state', 'coins', 'count', 'sum')
  if found[1] ~= 'reserved' or not string.find(found[2], objectId, 1, true) then
    return 0
  end
  redis.call('ZREM', key('reserved'), holder)
  shiftTotals('reserved', tonumber(found[3]), found[4], -1)
  endReservation(holder, 'expired', found[2], ARGV[5])
end
local balance, place = string.match(before, ':(%d+):(%w+)$')
local taken
if place == 'd' then
  taken = redis.call('LREM', key('dust'), 1, objectId)
elseif place == 't' then
  taken = redis.call('ZREM', key('treasury'), objectId)
else
  taken = redis.call('LREM', key('available:' .. place), 1, objectId)
end
if taken == 0 then
  flushTotals()
  return 0
end
shiftTotals(stateOfPlace(place), 1, balance, -1)
if after == '' then
  forgetCoin(objectId, now())
else
  redis.call('HSET', key('coins'), objectId, after)
  placeCoin(objectId, after)
end
flushTotals()
return 1
