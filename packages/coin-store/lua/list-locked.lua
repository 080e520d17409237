-- The inputs that transactions in flight have locked.
--
-- KEYS[1]  prefix of the pool
-- Returns  the text of each lock (includes/inputs.lua)
local listed = {}
local inputs = redis.call('HGETALL', key('inputs'))
for index = 1, #inputs, 2 do
  local reservation = readReservation(inputs[index + 1])
  if reservation and reservation.claim then
    listed[#listed + 1] = describeLock(inputs[index], reservation)
  end
end
return listed
