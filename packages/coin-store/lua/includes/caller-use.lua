-- What a caller with limits has reserved. Hash `caller:<name>`: `coins` and `budget` now; `minute` (when it
-- began, in ms), `minuteCoins`, `minuteBudget`. A reservation that is counted here has the field `counted`. One of a user is
-- counted twice: for the user, and for all users of its token (includes/all-users.lua). Without reservations the hash expires
-- with its minute.

local MINUTE_MS = 60000

-- What one caller has reserved now and in the current minute.
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

-- Adds what a reservation takes to what a caller uses; `writeCallerUse` stores it. Where nothing was added, there is nothing to
-- store: a caller that holds nothing would be remembered for ever.
local function countUse(use, budget, count)
  use.isChanged = true
  use.coins = use.coins + count
  use.budget = use.budget + budget
  use.minuteCoins = use.minuteCoins + count
  use.minuteBudget = use.minuteBudget + budget
end
