-- executing -> quarantined: refused because of a conflict, so that validators may hold the coins for this transaction.
-- For one that is quarantined already, notes the sponsor's own transaction that is about to move its coins on, and the
-- later epoch of that.
--
-- KEYS[1]  prefix of the pool
-- ARGV     reservation id, digest, fence, the ledger's message, the ledger's epoch, digest of
--          the sponsor's own transaction or '', 1 where it does not count against the caller
-- Returns  false when the claim has changed, 1 when it is quarantined already, otherwise the waiters (gateway|type,…)
--@include key
--@include now
--@include reservation
--@include in-flight
--@include write-reservation
--@include read-refusal
--@include quarantines
local id = ARGV[1]
local state, fence, begun, reserved, claim, refusal = readReservation(id)
if (state ~= 'executing' and state ~= 'quarantined') or fence ~= ARGV[3] or readDigest(claim) ~= ARGV[2] then
  return false
end
if state == 'quarantined' then
  local refusedDigest, refusedFence, message, epoch, movedOnBy = readRefusal(refusal)
  if tonumber(ARGV[5]) > tonumber(epoch) then
    epoch = ARGV[5]
  end
  if ARGV[6] ~= '' then
    movedOnBy = ARGV[6]
  end
  writeReservation(id, state, fence, begun, reserved, claim,
    table.concat({ refusedDigest, refusedFence, message, epoch, movedOnBy }, '\t'))
  return 1
end
local digest, lease, rule, waiters, holds, inputs, executor, resumed = readClaim(claim)
writeReservation(id, 'quarantined', fence, begun, reserved,
  table.concat({ digest, lease, rule, '', holds, inputs, executor, resumed }, '\t'),
  table.concat({ digest, fence, ARGV[4], ARGV[5], '' }, '\t'))
local caller, _, _, _, count, sum = readReserved(reserved)
local member = inFlight(id, count, sum)
redis.call('ZREM', key('executing'), member)
local at = now()
redis.call('ZADD', key('quarantined'), at, member)
if ARGV[7] ~= '1' then
  countQuarantine(caller, id, at)
end
return waiters
