-- The quarantines of a pool that count against callers (includes/quarantines.lua).
--
-- KEYS[1]  prefix of the pool
-- ARGV     the most transactions in quarantine to look at
-- Returns  for each caller {caller, ages of its quarantines in ms}
local listed, callers = {}, {}
local nowMs = now()
for _, member in ipairs(redis.call('ZREVRANGE', key('quarantined'), 0, ARGV[1] - 1)) do
  local reservation = readReservation(idOf(member))
  local caller = reservation and reservation.caller
  if caller and not callers[caller] then
    callers[caller] = true
    local ages = {}
    for time in eachQuarantine(caller) do
      ages[#ages + 1] = nowMs - time
    end
    listed[#listed + 1] = { caller, ages }
  end
end
return listed
