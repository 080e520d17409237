-- The transactions of a caller that are in quarantine: sorted set `quarantines:<caller>` of reservation ids; score =
-- when, in ms. It expires after the longest window that a limit may have.
local LONGEST_WINDOW_MS = 86400000
local MAX_REMEMBERED = 1000

local function countQuarantine(caller, id, at)
  local quarantines = key('quarantines:' .. caller)
  redis.call('ZADD', quarantines, string.format('%.0f', at), id)
  redis.call('ZREMRANGEBYRANK', quarantines, 0, -MAX_REMEMBERED - 1)
  redis.call('PEXPIRE', quarantines, LONGEST_WINDOW_MS)
end

-- It has ended: what it bound is free again.
local function uncountQuarantine(caller, id)
  redis.call('ZREM', key('quarantines:' .. caller), id)
end

-- How long, in ms, until another may follow: when no more than `most` fall into the present window, no more than twice as
-- many into two windows, and so on, since many claims may be under way before the first of them counts. Nil: now. More than
-- are remembered cannot be allowed: whether there were as many would never be known. `elsewhere` are the ages of the caller's
-- quarantines in other pools, in ms, comma-separated.
local function untilQuarantineAllowed(caller, most, windowMs, elsewhere, at)
  local times = {}
  local counted = redis.call('ZRANGE', key('quarantines:' .. caller), 0, -1, 'WITHSCORES')
  for i = 2, #counted, 2 do
    times[#times + 1] = tonumber(counted[i])
  end
  for age in string.gmatch(elsewhere, '[^,]+') do
    times[#times + 1] = at - tonumber(age)
  end
  table.sort(times, function(a, b) return a > b end)
  most = math.min(most, MAX_REMEMBERED)
  local longest = 0
  for windows = 1, math.max(1, math.floor(LONGEST_WINDOW_MS / windowMs)) do
    local oldest = times[most * windows]
    if not oldest then
      break
    end
    longest = math.max(longest, oldest + windows * windowMs - at)
  end
  return longest > 0 and string.format('%.0f', longest) or nil
end
