-- The figures of a pool for its metrics, at one instant. Takes one step for each class of balance and for
-- each transaction whose outcome is unknown.
--
-- KEYS[1]  prefix of the pool
-- Returns  {totals: flat pairs name, value; classes: flat pairs class, coins; reservations: flat pairs state,
--          number; ages: flat pairs state, ms since the oldest was begun (0 for an empty state)}
local nowMs = now()

local reservations = {}
for _, state in ipairs({ 'reserved', 'claimed', 'executing', 'quarantined' }) do
  reservations[#reservations + 1] = state
  reservations[#reservations + 1] = redis.call('ZCARD', key(state))
end

local function oldestAge(state)
  local oldest = nowMs
  for id in eachInFlight(state) do
    oldest = math.min(oldest, readBegun(id) or nowMs)
  end
  return nowMs - oldest
end
local ages = { 'executing', oldestAge('executing'), 'quarantined', oldestAge('quarantined') }

return { readCounters(), countClasses(), reservations, ages }
