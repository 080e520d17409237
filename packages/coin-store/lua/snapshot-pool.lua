-- One atomic snapshot of a whole pool, for the audit.
--
-- KEYS[1]  prefix of the pool
-- Returns  {objectIds of all coins; places: triples state, holder or '', coins (coin,…); counters: flat pairs name,
--          value; locked inputs: flat pairs objectId:version, reservation id}
--@include key
--@include classes
--@include reservation
--@include read-counters
local places = {}

local function see(state, holder, coins)
  places[#places + 1] = state
  places[#places + 1] = holder
  places[#places + 1] = coins
end

for _, class in ipairs(listClasses(redis.call('GET', key('classes')) or '')) do
  see('available', '', table.concat(redis.call('LRANGE', key('available:' .. class), 0, -1), ','))
end
see('dust', '', table.concat(redis.call('LRANGE', key('dust'), 0, -1), ','))
see('treasury', '', table.concat(redis.call('ZRANGE', key('treasury'), 0, -1), ','))

for _, state in ipairs({ 'reserved', 'claimed', 'executing', 'quarantined' }) do
  for _, member in ipairs(redis.call('ZRANGE', key(state), 0, -1)) do
    local id = string.match(member, '^%d+')
    local _, _, _, reserved = readReservation(id)
    local _, _, _, _, _, _, _, coins = readReserved(reserved or '')
    see(state, id, coins or '')
  end
end
for _, id in ipairs(redis.call('ZRANGE', key('maintenance'), 0, -1)) do
  see('maintenance', id, redis.call('HGET', key('operation:' .. id), 'coins') or '')
end

return { redis.call('SMEMBERS', key('coins')), places, readCounters(), redis.call('HGETALL', key('inputs')) }
