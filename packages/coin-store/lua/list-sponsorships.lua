-- Lists reservations that are open, or have ended and are not in the database yet, at one instant.
--
-- KEYS[1]  prefix of the pool
-- ARGV     a reservation id, the most ended ones to list, 'newest' or 'oldest'
-- Returns  {members of the states of open ones: each begins with the reservation id; ids of ended ones: those
--          below the id, the highest first; or with 'oldest' those above it, the lowest first}
local bound, most, order = unpack(ARGV)
local open, ended = { redis.call('ZRANGE', key('reserved'), 0, -1) }, {}
for _, state in ipairs(IN_FLIGHT) do
  open[#open + 1] = redis.call('ZRANGE', key(state), 0, -1)
end
local command, last = 'ZREVRANGEBYSCORE', '-inf'
if order == 'oldest' then
  command, last = 'ZRANGEBYSCORE', '+inf'
end
for index, member in ipairs(redis.call(command, key('history-index'), '(' .. bound, last, 'LIMIT', 0, most)) do
  ended[index] = idOf(member)
end
return { open, ended }
