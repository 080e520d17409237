-- The figures of a pool for its metrics, at one instant. Takes one step for each class of balance and for each
-- transaction whose outcome is unknown.
--
-- KEYS[1]  prefix of the pool
-- Returns  {totals: flat pairs name, value; classes: flat pairs class, coins; holders: triples state, number, age in
--          ms of the oldest (since it was begun; 0 where there is none or it is not shown)}
--@include key
--@include now
--@include classes
--@include read-counters
local at = now()

local classes = {}
for _, class in ipairs(listClasses(redis.call('GET', key('classes')) or '')) do
  classes[#classes + 1] = class
  classes[#classes + 1] = redis.call('LLEN', key('available:' .. class))
end

-- The first line of a reservation is enough (includes/reservation.lua).
local function oldestAge(state)
  local oldest = at
  for _, member in ipairs(redis.call('ZRANGE', key(state), 0, -1)) do
    local id = string.match(member, '^%d+')
    local first = redis.call('GETRANGE', key('reservation:' .. id), 0, 63)
    oldest = math.min(oldest, tonumber(string.match(first, '^%l+\t%d+\t(%d+)\n') or at))
  end
  return at - oldest
end

local holders = {}
local function see(state, age)
  holders[#holders + 1] = state
  holders[#holders + 1] = redis.call('ZCARD', key(state))
  holders[#holders + 1] = age
end
see('reserved', 0)
see('claimed', 0)
see('executing', oldestAge('executing'))
see('quarantined', oldestAge('quarantined'))

return { readCounters(), classes, holders }
