-- Whether the number of coins in all states equals that of the pool. After a loss of keys (evicted, deleted, partly
-- restored) it does not, and the pool must not be trusted. Takes one step for each transaction in flight.
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
