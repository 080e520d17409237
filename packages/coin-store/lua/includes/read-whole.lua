-- As readReservation, and the last line.
local function readWhole(id)
  return string.match(redis.call('GET', key('reservation:' .. id)) or '', RESERVATION .. '(.*)$')
end
