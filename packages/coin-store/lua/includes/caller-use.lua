-- The reservations of a caller with limits. Hash `caller:<name>`: `coins` and `budget` now; `minute` (its
-- beginning in ms), `minuteCoins`, `minuteBudget`; `unused`: reservations that have ended unused, less the
-- executed ones. A reservation that is counted here has the field `counted`. Without reservations the hash
-- expires with its minute, or once the unused ones are forgiven. The users of one token are callers named
-- `<token>:<address>`. A user's reservation is counted twice: for the user, and for all users of its token,
-- under the name `<token>:`.
local MINUTE_MS = 60000
-- Longer than a caller with the largest share of a pool would wait after all its reservations have ended
-- unused.
local UNUSED_KEPT_MS = 3600000

-- The name under which all users of a caller's token are counted; nil for a caller that is not one of them.
local function allUsersOf(caller)
  return string.match(caller, '^[^:]*:')
end

-- One caller's reservations now and in the current minute.
local function readCallerUse(caller, nowMs)
  local found = redis.call('HMGET', key('caller:' .. caller), 'coins', 'budget', 'minute', 'minuteCoins', 'minuteBudget',
    'unused')
  local minute = tonumber(found[3] or '0')
  local runs = nowMs - minute < MINUTE_MS
  local coins = tonumber(found[1] or '0')
  return {
    coins = coins,
    mayExpire = coins <= 0,
    budget = tonumber(found[2] or '0'),
    minute = runs and minute or nowMs,
    minuteCoins = runs and tonumber(found[4] or '0') or 0,
    minuteBudget = runs and tonumber(found[5] or '0') or 0,
    unused = tonumber(found[6] or '0'),
    minutesPassed = math.floor((nowMs - minute) / MINUTE_MS),
  }
end

-- Ends the counting of a reservation, if it is counted. A caller without reservations is forgotten after a
-- while.
local function releaseCallerUse(reservation, isExecuted)
  if reservation.counted ~= '1' then
    return
  end
  for _, name in ipairs({ reservation.caller, allUsersOf(reservation.caller) }) do
    local use = key('caller:' .. name)
    redis.call('HINCRBY', use, 'budget', '-' .. reservation.budget)
    local unused = redis.call('HINCRBY', use, 'unused', isExecuted and -1 or 1)
    if redis.call('HINCRBY', use, 'coins', '-' .. reservation.count) <= 0 then
      redis.call('PEXPIRE', use, unused > 0 and UNUSED_KEPT_MS or MINUTE_MS)
    end
  end
end
