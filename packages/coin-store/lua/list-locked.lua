-- The inputs that transactions in flight have locked.
--
-- KEYS[1]  prefix of the pool
-- Returns  for each: objectId:version, reservation id, digest and fence, separated by tabs
--@include key
--@include reservation
local listed = {}
local inputs = redis.call('HGETALL', key('inputs'))
for i = 1, #inputs, 2 do
  local _, fence, _, _, claim = readReservation(inputs[i + 1])
  local digest = claim and readDigest(claim) or ''
  if digest ~= '' then
    listed[#listed + 1] = table.concat({ inputs[i], inputs[i + 1], digest, fence }, '\t')
  end
end
return listed
