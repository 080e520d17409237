-- The reservations of a caller with limits. Hash `caller:<name>`: `coins` and `budget` now; `minute` (its beginning in
-- ms), `minuteCoins`, `minuteBudget`. A reservation that is counted here has the field `counted`. A user's reservation
-- is counted twice: for the user, and for all users of its token (includes/all-users.lua). Without reservations the
-- hash expires with its minute.

local MINUTE_MS = 60000

-- One caller's reservations now and in the current minute.
local function readCallerUse(caller, at)
  local found = redis.call('HMGET', key('caller:' .. caller), 'coins', 'budget', 'minute', 'minuteCoins', 'minuteBudget')
  local minute = tonumber(found[3] or '0')
  local runs = at - minute < MINUTE_MS
  local coins = tonumber(found[1] or '0')
  return {
    coins = coins,
    mayExpire = coins <= 0,
    budget = tonumber(found[2] or '0'),
    minute = runs and minute or at,
    minuteCoins = runs and tonumber(found[4] or '0') or 0,
    minuteBudget = runs and tonumber(found[5] or '0') or 0,
  }
end

local function writeCallerUse(caller, use)
  local function text(amount)
    return string.format('%.0f', amount)
  end
  redis.call('HSET', key('caller:' .. caller), 'coins', text(use.coins), 'budget', text(use.budget),
    'minute', text(use.minute), 'minuteCoins', text(use.minuteCoins), 'minuteBudget', text(use.minuteBudget))
  if use.mayExpire then
    redis.call('PERSIST', key('caller:' .. caller))
  end
end

-- Adds a reservation to a caller's usage; `writeCallerUse` stores it. An unchanged usage is not stored: otherwise a
-- caller without reservations would be remembered forever.
local function countUse(use, budget, count)
  use.isChanged = true
  use.coins = use.coins + count
  use.budget = use.budget + budget
  use.minuteCoins = use.minuteCoins + count
  use.minuteBudget = use.minuteBudget + budget
end
