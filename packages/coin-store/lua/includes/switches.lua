-- Whether history is kept and whether somebody follows the changes: read together with the first reservation, so that
-- neither costs a command. `backlog`: the most entries of `history`; nil while it is off (`history-backlog` is no number).
local switches

local function readWithSwitches(stored)
  if switches then
    return redis.call('GET', stored)
  end
  local found = redis.call('MGET', stored, key('history-backlog'), key('followed'))
  switches = { backlog = tonumber(found[2] or ''), isFollowed = found[3] }
  return found[1]
end

-- Its reservations are no sponsorships: a deep health check makes them.
local CHECKER = 'health-check'

local function isInHistory(reservation)
  return reservation.caller ~= CHECKER and switches.backlog ~= nil
end

local function isFollowed(reservation)
  return reservation.caller ~= CHECKER and switches.isFollowed
end
