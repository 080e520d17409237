-- The quarantines of a pool that count against callers (includes/quarantines.lua).
--
-- KEYS[1]  prefix of the pool
-- ARGV     the most transactions in quarantine to look at
-- Returns  flat pairs: caller, ms since it began
--@include key
--@include now
--@include reservation
local listed, callers = {}, {}
local at = now()
for _, member in ipairs(redis.call('ZREVRANGE', key('quarantined'), 0, ARGV[1] - 1)) do
  local _, _, _, reserved = readReservation(string.match(member, '^%d+'))
  local caller = reserved and readReserved(reserved)
  if caller and not callers[caller] then
    callers[caller] = true
    local counted = redis.call('ZRANGE', key('quarantines:' .. caller), 0, -1, 'WITHSCORES')
    for i = 2, #counted, 2 do
      listed[#listed + 1] = caller
      listed[#listed + 1] = at - tonumber(counted[i])
    end
  end
end
return listed
