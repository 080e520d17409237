-- Ends the suspension of a pool whose coins have been compared with the ledger.
--
-- KEYS[1]  prefix of the pool
-- Returns  1, or 0 when the suspension must last longer
local held = redis.call('GET', key('held'))
if held and tonumber(held) > now() then
  return 0
end
redis.call('DEL', key('held'), key('awaited'))
return 1
