-- The recent transactions of a caller that ended in quarantine: sorted set `quarantines:<caller>` of reservation ids; score =
-- when, in ms. It expires after the longest window that a limit may have.
local LONGEST_WINDOW_MS = 86400000
local MAX_REMEMBERED = 1000

local function countQuarantine(caller, id, at)
  local quarantines = key('quarantines:' .. caller)
  redis.call('ZADD', quarantines, string.format('%.0f', at), id)
  redis.call('ZREMRANGEBYRANK', quarantines, 0, -MAX_REMEMBERED - 1)
  redis.call('PEXPIRE', quarantines, LONGEST_WINDOW_MS)
end

-- How long, in ms, until fewer than `most` count; nil when that is so now.
local function untilQuarantineAllowed(caller, most, windowMs, at)
  local oldest = redis.call('ZRANGE', key('quarantines:' .. caller), -most, -most, 'WITHSCORES')[2]
  local wait = oldest and tonumber(oldest) + windowMs - at or 0
  return wait > 0 and string.format('%.0f', wait) or nil
end
