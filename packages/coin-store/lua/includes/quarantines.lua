-- The transactions of a caller that are in quarantine: sorted set `quarantines:<caller>` of reservation ids,
-- and of id|2, id|3 and so on for one that counts several times; score = when, in ms. It expires after the
-- longest window that a limit may have.
local LONGEST_WINDOW_MS = 86400000
local MAX_REMEMBERED = 1000

-- A transaction counts once, and once more for each percent of the pool, by number or by value of the coins
-- that it binds beyond one average coin.
local function weighQuarantine(reservation)
  local _, serving = countCoins()
  local coins, funds = math.max(1, serving), tonumber(redis.call('HGET', key('totals'), 'funds') or '0')
  local ofValue = funds > 0 and reservation.sum / funds - 1 / coins or 0
  local share = math.max((reservation.count - 1) / coins, ofValue, 0)
  return 1 + math.min(99, math.floor(100 * share))
end

-- The members of a reservation, as often as it may count.
local function quarantineMembers(id, count)
  local members = { id }
  for n = 2, count do
    members[n] = id .. '|' .. n
  end
  return members
end

local function countQuarantine(reservation, nowMs)
  local quarantines = key('quarantines:' .. reservation.caller)
  local scored = {}
  for _, member in ipairs(quarantineMembers(reservation.id, weighQuarantine(reservation))) do
    scored[#scored + 1] = decimal(nowMs)
    scored[#scored + 1] = member
  end
  redis.call('ZADD', quarantines, unpack(scored))
  redis.call('ZREMRANGEBYRANK', quarantines, 0, -MAX_REMEMBERED - 1)
  redis.call('PEXPIRE', quarantines, LONGEST_WINDOW_MS)
end

-- Its coins and inputs are free again.
local function uncountQuarantine(caller, id)
  redis.call('ZREM', key('quarantines:' .. caller), unpack(quarantineMembers(id, 100)))
end

-- Iterates over the times at which the caller's quarantines began, in ms.
local function eachQuarantine(caller)
  local counted = redis.call('ZRANGE', key('quarantines:' .. caller), 0, -1, 'WITHSCORES')
  local index = 0
  return function()
    index = index + 2
    return counted[index] and tonumber(counted[index])
  end
end

-- How long, in ms, until another may follow: when no more than `most` fall into the present window, no more
-- than twice as many into two windows, and so on, since many claims may be under way before the first of them
-- counts. Nil: now. A limit above the number that is remembered could never be checked, so it counts as that
-- number. `elsewhere` are the ages of the caller's quarantines in other pools, in ms.
local function untilQuarantineAllowed(caller, most, windowMs, elsewhere, nowMs)
  local times = {}
  for time in eachQuarantine(caller) do
    times[#times + 1] = time
  end
  for _, age in ipairs(elsewhere) do
    times[#times + 1] = nowMs - tonumber(age)
  end
  table.sort(times, function(newer, older) return newer > older end)
  most = math.min(most, MAX_REMEMBERED)
  local longest = 0
  for windows = 1, math.max(1, math.floor(LONGEST_WINDOW_MS / windowMs)) do
    local oldest = times[most * windows]
    if not oldest then
      break
    end
    longest = math.max(longest, oldest + windows * windowMs - nowMs)
  end
  return longest > 0 and decimal(longest) or nil
end
