-- reserved -> available: the caller gives the coins of an unused reservation back.
--
-- KEYS[1]  prefix of the pool
-- ARGV     reservation id, caller, retention of what is left of it in ms
-- Returns  1, or 0 when there is nothing of this caller to release
--@include key
--@include shift-totals
--@include place-coin
--@include caller-use
--@include end-reservation
local id = ARGV[1]
local found = redis.call('HMGET', key('reservation:' .. id), 'caller', 'state', 'coins', 'count', 'sum')
if found[1] ~= ARGV[2] or found[2] ~= 'reserved' then
  return 0
end
redis.call('ZREM', key('reserved'), id)
shiftTotals('reserved', tonumber(found[4]), found[5], -1)
endReservation(id, 'released', found[3], ARGV[3])
flushTotals()
return 1
