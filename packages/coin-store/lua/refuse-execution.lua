-- executing -> reserved (or available past the deadline): the ledger refused the transaction for certain.
--
-- KEYS[1]  prefix of the pool
-- ARGV     reservation id, digest, fence, the ledger's message, retention in ms, a list of how long ago in ms
--          its submissions were made
-- Returns  false when the claim has changed or a second executor has begun it, which may have submitted the
--          transaction since; otherwise the waiters (gateway|type,…)
local id, digest, fence, message, retentionMs = take(5)
local submissions = takeList()
local reservation = readReservation(id)
if not reservation or reservation.state ~= 'executing' or reservation.fence ~= fence or
  reservation.claim.digest ~= digest or reservation.claim.resumed ~= '' then
  return false
end
if isRebuiltWithout(redis.call('ZREM', key('executing'), memberOf(reservation))) then
  return false
end
local waiters = reservation.claim.waiters
reservation.refusal = { digest = digest, fence = fence, message = message, epoch = '', movedOnBy = '' }
local nowMs = now()
local lines = describeSubmissions(submissions, nowMs) .. describeRefusal(nowMs, reservation.refusal)
reopenReservation(reservation, nowMs, retentionMs, lines)
flushCoins()
flushOutcomes()
return waiters
