-- reserved -> available for every reservation past its deadline; also forgets coins that left the pool long
-- ago.
--
-- KEYS[1]  prefix of the pool
-- ARGV     the most reservations in this call, retention of their outcomes in ms, retention of gone coins in
--          ms
-- Returns  number of expired reservations
local most, retentionMs, goneMs = unpack(ARGV)

-- A split that finishes late may name coins that left the pool after it began, however long ago.
local function oldestNeeded(before)
  for _, operationId in ipairs(redis.call('ZRANGE', key('maintenance'), 0, -1)) do
    before = math.min(before, tonumber(redis.call('HGET', key('operation:' .. operationId), 'begun') or 0) - 1)
  end
  return before
end

local nowMs = now()
local due = redis.call('ZRANGEBYSCORE', key('reserved'), '-inf', nowMs, 'LIMIT', 0, most)
for _, id in ipairs(due) do
  local reservation = readReservation(id)
  redis.call('ZREM', key('reserved'), id)
  -- A lost reservation leaves its coins in no state: rebuild-pool.lua places them.
  if reservation then
    shiftReserved(reservation, -1)
    endReservation(reservation, 'expired', retentionMs)
  end
end
redis.call('ZREMRANGEBYSCORE', key('gone'), '-inf', decimal(oldestNeeded(nowMs - tonumber(goneMs))))
flushCoins()
flushOutcomes()
return #due
