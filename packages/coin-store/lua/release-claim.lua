-- claimed -> reserved (or available past the deadline): releases an orphaned claim, whose lease is over and
-- which has no job.
--
-- KEYS[1]  prefix of the pool
-- ARGV     reservation id, fence, retention in ms
-- Returns  1; 0 when the claim has changed or its lease is not over, or 'begun' when it may have been begun
--          on another server (includes/lost-begins.lua)
local id, fence, retentionMs = unpack(ARGV)
local nowMs = now()
local reservation = readReservation(id)
if not reservation or reservation.state ~= 'claimed' or reservation.fence ~= fence or
  tonumber(reservation.claim.lease) > nowMs then
  return 0
end
if mayHaveBegun(redis.call('GET', payloadKey(id))) then
  return 'begun'
end
if isRebuiltWithout(redis.call('ZREM', key('claimed'), memberOf(reservation))) then
  return 0
end
reopenReservation(reservation, nowMs, retentionMs, '')
flushCoins()
flushOutcomes()
return 1
