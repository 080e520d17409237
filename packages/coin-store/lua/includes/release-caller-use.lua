-- Ends the counting of a reservation for its caller, and for all users of its token (includes/all-users.lua). A caller
-- without reservations is forgotten with its minute (includes/caller-use.lua).
local FORGOTTEN_AFTER_MS = 60000

local function releaseCallerUse(caller, count, budget)
  for _, name in ipairs({ caller, allUsersOf(caller) }) do
    local use = key('caller:' .. name)
    redis.call('HINCRBY', use, 'budget', '-' .. budget)
    if redis.call('HINCRBY', use, 'coins', '-' .. count) <= 0 then
      redis.call('PEXPIRE', use, FORGOTTEN_AFTER_MS)
    end
  end
end
