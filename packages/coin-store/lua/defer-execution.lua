-- executing -> claimed: the sponsor's key cannot sign at the moment, so this executor has submitted nothing.
-- The next one begins as if it were the first. A claim that another executor has begun too stays as it is:
-- that one may have submitted it.
--
-- KEYS[1]  prefix of the pool
-- ARGV     reservation id, digest, fence, executor
-- Returns  false when the claim has changed, otherwise the waiters (gateway|type,…)
local id, digest, fence, executor = unpack(ARGV)
local reservation = readReservation(id)
if not reservation or reservation.fence ~= fence or not isInFlight(reservation) or
  reservation.claim.digest ~= digest then
  return false
end
local claim = reservation.claim
if reservation.state == 'executing' and claim.executor == executor and claim.resumed == '' then
  local member = memberOf(reservation)
  if redis.call('ZREM', key('executing'), member) == 1 then
    reservation.state, reservation.begun, claim.executor = 'claimed', '', ''
    writeReservation(reservation)
    redis.call('ZADD', key('claimed'), claim.lease, member)
  end
end
return claim.waiters
