-- Ends the lead of a pool, for its owner only, so that another can take it at once.
--
-- KEYS[1]  prefix of the pool
-- ARGV     owner
-- Returns  1, or 0 when the owner does not lead
local lock = key('lock:leader')
if redis.call('HGET', lock, 'owner') ~= ARGV[1] then
  return 0
end
return redis.call('DEL', lock)
