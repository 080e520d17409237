-- A counted reservation is over.
local function giveBackCallerUse(caller, count, budget)
  redis.call('HINCRBY', key('caller:' .. caller), 'coins', '-' .. count)
  redis.call('HINCRBY', key('caller:' .. caller), 'budget', '-' .. budget)
end
