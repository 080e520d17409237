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
-- are remembered cannot be allowed: whether there were as many would never be known.
local function untilQuarantineAllowed(caller, most, windowMs, at)
  local quarantines = key('quarantines:' .. caller)
  most = math.min(most, MAX_REMEMBERED)
  local longest = 0
  for windows = 1, math.max(1, math.floor(LONGEST_WINDOW_MS / windowMs)) do
    local rank = -most * windows
    local oldest = redis.call('ZRANGE', quarantines, rank, rank, 'WITHSCORES')[2]
    if not oldest then
      break
    end
    longest = math.max(longest, tonumber(oldest) + windows * windowMs - at)
  end
  return longest > 0 and string.format('%.0f', longest) or nil
end
