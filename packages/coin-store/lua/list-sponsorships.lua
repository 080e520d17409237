-- Lists reservations that are open, or have ended and are not in the database yet, at one instant.
--
-- KEYS[1]  prefix of the pool
-- ARGV     the lowest reservation id that is not listed, the most ended ones to list
-- Returns  {members of the states of open ones: each begins with the reservation id; ids of ended ones, the highest first}
local before, most = unpack(ARGV)
local open, ended = { redis.call('ZRANGE', key('reserved'), 0, -1) }, {}
for _, state in ipairs(IN_FLIGHT) do
  open[#open + 1] = redis.call('ZRANGE', key(state), 0, -1)
end
for i, member in ipairs(redis.call('ZREVRANGEBYSCORE', key('history-index'), '(' .. before, '-inf', 'LIMIT', 0, most)) do
  ended[i] = idOf(member)
end
return { open, ended }
