-- executing -> quarantined: not executed so far, but the ledger may execute it yet. Its waiters stay
-- attached. For one that is quarantined already, notes the sponsor's own transaction that is about to move
-- its coins on, and its later epoch; an epoch far above the present one, which only another network can have,
-- becomes the next one.
--
-- KEYS[1]  prefix of the pool
-- ARGV     reservation id, digest, fence, the ledger's message, the ledger's epoch, digest of the sponsor's
--          own transaction or '', 1 where it does not count against the caller, a list of how long ago in ms
--          its submissions were made
-- Returns  'gone' when the claim has changed, 'renewed' when it is quarantined already, otherwise
--          'quarantined'
local id, digest, fence, message, epoch, movedOnBy, isExcused = take(7)
local submissions = takeList()
local reservation = readReservation(id)
local state = reservation and reservation.state
if (state ~= 'executing' and state ~= 'quarantined') or reservation.fence ~= fence or
  reservation.claim.digest ~= digest then
  return 'gone'
end
local nowMs = now()
if state == 'quarantined' then
  local refusal, present = reservation.refusal, tonumber(epoch)
  if present > tonumber(refusal.epoch) then
    refusal.epoch = epoch
  elseif tonumber(refusal.epoch) > present + 1 then
    -- The node that was asked for the present one may be an epoch behind.
    refusal.epoch = decimal(present + 1)
  end
  if movedOnBy ~= '' and movedOnBy ~= refusal.movedOnBy then
    refusal.movedOnBy, reservation.claim.lease = movedOnBy, decimal(nowMs)
  end
  writeReservation(reservation)
  return 'renewed'
end
local member = memberOf(reservation)
if isRebuiltWithout(redis.call('ZREM', key('executing'), member)) then
  return 'gone'
end
reservation.state, reservation.claim.lease = 'quarantined', decimal(nowMs)
reservation.refusal = { digest = digest, fence = '0', message = message, epoch = epoch, movedOnBy = '' }
writeReservation(reservation)
redis.call('ZADD', key('quarantined'), nowMs, member)
local line = writeLine(decimal(nowMs), 'quarantined', shortReason(message))
appendTrail(reservation, describeSubmissions(submissions, nowMs) .. line)
addQuarantineNews(reservation)
if isExcused ~= '1' then
  countQuarantine(reservation, nowMs)
end
return 'quarantined'
