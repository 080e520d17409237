-- The state of history: read together with the first reservation, so that it costs no command. `backlog`: the
-- most entries of `history`; nil while it is off (`history-backlog` is not a number). `weight` and `number`:
-- texts of `history-weight` and `history-number`.
local switches

-- Reads the texts of keys; returns a list and the place before the first of them.
local function readWithSwitches(...)
  if switches then
    return redis.call('MGET', ...), 0
  end
  local found = redis.call('MGET', key('history-backlog'), key('history-weight'), key('history-number'), ...)
  switches = { backlog = tonumber(found[1] or ''), weight = tonumber(found[2] or '') or 0, number = found[3] }
  return found, 3
end

-- Its reservations are not sponsorships: a deep health check makes them.
local CHECKER = 'health-check'

local function isInHistory(reservation)
  return reservation.caller ~= CHECKER and switches.backlog ~= nil
end
