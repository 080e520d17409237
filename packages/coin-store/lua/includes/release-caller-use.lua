-- Ends the counting of a reservation for its caller, and for all users of its token (includes/all-users.lua).
local function releaseCallerUse(caller, count, budget)
  for _, name in ipairs({ caller, allUsersOf(caller) }) do
    redis.call('HINCRBY', key('caller:' .. name), 'coins', '-' .. count)
    redis.call('HINCRBY', key('caller:' .. name), 'budget', '-' .. budget)
  end
end
