-- Whether as many coins are in some state as the pool has. Where keys were lost (evicted, deleted, partly restored) they
-- are not, and the pool is no longer to be trusted. Takes one step for each transaction in flight.
local function isWhole()
  local totals = redis.call('HMGET', key('totals'), 'reserved:further', 'maintenance:coins')
  local placed = redis.call('LLEN', key('dust')) + redis.call('ZCARD', key('treasury')) +
    redis.call('ZCARD', key('reserved')) + (totals[1] or 0) + (totals[2] or 0)
  for _, class in ipairs(listClasses(redis.call('GET', key('classes')) or '')) do
    placed = placed + redis.call('LLEN', key('available:' .. class))
  end
  for _, state in ipairs({ 'claimed', 'executing', 'quarantined' }) do
    for _, member in ipairs(redis.call('ZRANGE', key(state), 0, -1)) do
      placed = placed + string.match(member, '^%d+|(%d+)|')
    end
  end
  return placed == redis.call('SCARD', key('coins'))
end
