-- claimed -> reserved (or available past the deadline): a claim whose lease is over and that no job will begin.
--
-- KEYS[1]  prefix of the pool
-- ARGV     reservation id, fence, retention in ms
-- Returns  1, or 0 when the claim has moved on or its lease is not over
--@include key
--@include now
--@include shift-totals
--@include place-coin
--@include usage
--@include input-locks
--@include caller-use
--@include end-reservation
--@include reopen-reservation
local id = ARGV[1]
local found = redis.call('HMGET', key('reservation:' .. id), 'state', 'fence', 'lease', 'coins', 'count', 'sum', 'deadline')
local at = now()
if found[1] ~= 'claimed' or found[2] ~= ARGV[2] or tonumber(found[3]) > at then
  return 0
end
redis.call('ZREM', key('claimed'), id)
shiftTotals('claimed', tonumber(found[5]), found[6], -1)
reopenReservation(id, found[7], found[4], found[5], found[6], at, ARGV[3])
flushTotals()
return 1
