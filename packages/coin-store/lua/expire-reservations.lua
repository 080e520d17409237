-- reserved -> available for every reservation past its deadline; also lets old names of gone coins be forgotten.
--
-- KEYS[1]  prefix of the pool
-- ARGV     the most reservations in this call, retention of what is left of them in ms, how long gone coins are
--          remembered in ms
-- Returns  how many expired
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
-- Coins that went since a split began may be named by it when it is finished, however long that takes.
local function oldestNeeded(before)
  for _, operationId in ipairs(redis.call('ZRANGE', key('maintenance'), 0, -1)) do
    before = math.min(before, tonumber(redis.call('HGET', key('operation:' .. operationId), 'begun') or 0) - 1)
  end
  return before
end

local at = now()
local due = redis.call('ZRANGEBYSCORE', key('reserved'), '-inf', at, 'LIMIT', 0, ARGV[1])
for _, id in ipairs(due) do
  local _, fence, _, reserved, _, refusal = readReservation(id)
  local _, _, _, _, count, sum = readReserved(reserved)
  redis.call('ZREM', key('reserved'), id)
  shiftReserved(count, sum, -1)
  endReservation(id, 'expired', fence, reserved, refusal, ARGV[2])
end
redis.call('ZREMRANGEBYSCORE', key('gone'), '-inf', string.format('%.0f', oldestNeeded(at - tonumber(ARGV[3]))))
flushTotals()
return #due
