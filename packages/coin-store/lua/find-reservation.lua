-- Shows a caller its reservation, and attaches a waiter when the transaction asked for is in flight.
--
-- KEYS[1]  prefix of the pool
-- ARGV     reservation id, caller, digest, waiter
-- Returns  false (no record), 'foreign' (another caller's), or {state, budget, deadline, coins, digest, fence,
--          refused digest, refused fence, refusal, duration in ms}; `reserved` past its deadline reads `expired`
--@include key
--@include now
--@include attach-waiter
local reservation = key('reservation:' .. ARGV[1])
local found = redis.call('HMGET', reservation, 'caller', 'state', 'budget', 'deadline', 'coins', 'digest', 'fence',
  'refusedDigest', 'refusedFence', 'refusal', 'duration')
if not found[1] then
  return false
end
if found[1] ~= ARGV[2] then
  return 'foreign'
end
local state = found[2]
if state == 'reserved' and tonumber(found[4]) <= now() then
  state = 'expired'
elseif (state == 'claimed' or state == 'executing') and found[6] == ARGV[3] then
  attachWaiter(reservation, ARGV[4])
end
return { state, found[3], found[4], found[5] or '', found[6] or '', found[7], found[8] or '', found[9] or '',
  found[10] or '', found[11] }
