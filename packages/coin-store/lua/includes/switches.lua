-- Whether history is kept: read together with the first reservation, so that it costs no command. `backlog`:
-- the most entries of `history`; nil while it is off (`history-backlog` is not a number).
local switches

local function readWithSwitches(stored)
  if switches then
    return redis.call('GET', stored)
  end
  local found = redis.call('MGET', stored, key('history-backlog'))
  switches = { backlog = tonumber(found[2] or '') }
  return found[1]
end

-- Its reservations are not sponsorships: a deep health check makes them.
local CHECKER = 'health-check'

local function isInHistory(reservation)
  return reservation.caller ~= CHECKER and switches.backlog ~= nil
end
