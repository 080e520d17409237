-- Ends the counting of a reservation for its caller.
local function releaseCallerUse(caller, count, budget)
  redis.call('HINCRBY', key('caller:' .. caller), 'coins', '-' .. count)
  redis.call('HINCRBY', key('caller:' .. caller), 'budget', '-' .. budget)
end
