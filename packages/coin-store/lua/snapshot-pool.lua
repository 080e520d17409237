-- One atomic snapshot of a whole pool, for the audit.
--
-- KEYS[1]  prefix of the pool
-- Returns  {objectIds of all coins; places: {state, holder or '', coins (coin,…)} each; counters: flat pairs
--          name, value; locked inputs: flat pairs objectId:version, reservation id}
local places = {}

local function see(state, holder, coins)
  places[#places + 1] = { state, holder, coins }
end

for _, class in ipairs(listClasses()) do
  see('available', '', table.concat(redis.call('LRANGE', key('available:' .. class), 0, -1), ','))
end
see('dust', '', table.concat(redis.call('LRANGE', key('dust'), 0, -1), ','))
see('treasury', '', table.concat(redis.call('ZRANGE', key('treasury'), 0, -1), ','))

local function seeReservation(state, id)
  local reservation = readReservation(id)
  see(state, id, reservation and reservation.coins or '')
end
for _, id in ipairs(redis.call('ZRANGE', key('reserved'), 0, -1)) do
  seeReservation('reserved', id)
end
for _, state in ipairs(IN_FLIGHT) do
  for id in eachInFlight(state) do
    seeReservation(state, id)
  end
end
for _, id in ipairs(redis.call('ZRANGE', key('maintenance'), 0, -1)) do
  see('maintenance', id, redis.call('HGET', key('operation:' .. id), 'coins') or '')
end

return { redis.call('SMEMBERS', key('coins')), places, readCounters(), redis.call('HGETALL', key('inputs')) }
