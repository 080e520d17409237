-- What the metrics show of a pool, at one instant. Takes a step for each class of balance and for each transaction whose
-- outcome is not known.
--
-- KEYS[1]  prefix of the pool
-- Returns  {totals: flat pairs name, value; classes: flat pairs class, coins; holders: triples state, how many, age in ms
--          of the oldest (since it was begun; 0 where there is none or nobody asks)}
--@include key
--@include now
local at = now()

local classes = {}
for _, class in ipairs(redis.call('ZRANGE', key('classes'), 0, -1)) do
  classes[#classes + 1] = class
  classes[#classes + 1] = redis.call('LLEN', key('available:' .. class))
end

local function oldestAge(state)
  local oldest = at
  for _, id in ipairs(redis.call('ZRANGE', key(state), 0, -1)) do
    local begun = redis.call('HGET', key('reservation:' .. id), 'begun')
    oldest = math.min(oldest, tonumber(begun or at))
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

return { redis.call('HGETALL', key('totals')), classes, holders }
