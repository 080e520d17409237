-- One atomic picture of a whole pool, for the audit.
--
-- KEYS[1]  prefix of the pool
-- Returns  {coins: flat pairs objectId, record; places: triples state, holder or '', objectIds (comma-separated);
--          totals: flat pairs; locked inputs: flat pairs objectId:version, reservation id}
--@include key
local places = {}

local function see(state, holder, objectIds)
  places[#places + 1] = state
  places[#places + 1] = holder
  places[#places + 1] = objectIds
end

for _, class in ipairs(redis.call('ZRANGE', key('classes'), 0, -1)) do
  see('available', '', table.concat(redis.call('LRANGE', key('available:' .. class), 0, -1), ','))
end
see('dust', '', table.concat(redis.call('LRANGE', key('dust'), 0, -1), ','))
see('treasury', '', table.concat(redis.call('ZRANGE', key('treasury'), 0, -1), ','))

local function seeHolders(state, kind)
  for _, id in ipairs(redis.call('ZRANGE', key(state), 0, -1)) do
    local coins = redis.call('HGET', key(kind .. id), 'coins') or ''
    see(state, id, (string.gsub(coins, ':[^,]+', '')))
  end
end
seeHolders('reserved', 'reservation:')
seeHolders('claimed', 'reservation:')
seeHolders('executing', 'reservation:')
seeHolders('quarantined', 'reservation:')
seeHolders('maintenance', 'operation:')

return { redis.call('HGETALL', key('coins')), places, redis.call('HGETALL', key('totals')),
  redis.call('HGETALL', key('inputs')) }
