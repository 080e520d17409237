-- Whether the number of coins in all states equals that of the pool. After a loss of keys (evicted, deleted,
-- partly restored) it does not, and the pool must not be trusted. Takes one step for each transaction in
-- flight.
local function isWhole()
  local totals = redis.call('HMGET', key('totals'), 'reserved:further', 'maintenance:coins')
  local placed = redis.call('LLEN', key('dust')) + redis.call('ZCARD', key('treasury')) +
    redis.call('ZCARD', key('reserved')) + (totals[1] or 0) + (totals[2] or 0)
  for _, class in ipairs(listClasses()) do
    placed = placed + redis.call('LLEN', key('available:' .. class))
  end
  for _, state in ipairs(IN_FLIGHT) do
    for _, count in eachInFlight(state) do
      placed = placed + count
    end
  end
  return placed == redis.call('SCARD', key('coins'))
end

-- Whether a reservation is missing from the index of its state (`found`: 0 or false) because the index was
-- lost, and the pool has been rebuilt since: its coins are elsewhere. Before that they are in no state.
local function isRebuiltWithout(found)
  return (not found or found == 0) and isWhole()
end
