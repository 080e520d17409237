-- executing -> quarantined: not executed as far as is known, but the ledger may execute it yet. Its waiters stay attached.
-- For one that is quarantined already, notes the sponsor's own transaction that is about to move its coins on, and the
-- later epoch of that.
--
-- KEYS[1]  prefix of the pool
-- ARGV     reservation id, digest, fence, the ledger's message, the ledger's epoch, digest of
--          the sponsor's own transaction or '', 1 where it does not count against the caller
-- Returns  false when the claim has changed, 1 when it is quarantined already, otherwise 2
--@include key
--@include now
--@include reservation
--@include in-flight
--@include classes
--@include is-whole
--@include rebuilt-without
--@include write-reservation
--@include read-refusal
--@include quarantines
local id = ARGV[1]
local state, fence, begun, reserved, claim, refusal = readReservation(id)
if (state ~= 'executing' and state ~= 'quarantined') or fence ~= ARGV[3] or readDigest(claim) ~= ARGV[2] then
  return false
end
local at = now()

-- The claim with the time from which validators may hold its coins in the place of its lease.
local function heldSince(claim)
  local digest, _, following = string.match(claim, '^([^\t]*)\t([^\t]*)(\t.*)$')
  return digest .. '\t' .. string.format('%.0f', at) .. following
end

if state == 'quarantined' then
  local refusedDigest, refusedFence, message, epoch, movedOnBy = readRefusal(refusal)
  if tonumber(ARGV[5]) > tonumber(epoch) then
    epoch = ARGV[5]
  end
  if ARGV[6] ~= '' and ARGV[6] ~= movedOnBy then
    movedOnBy, claim = ARGV[6], heldSince(claim)
  end
  writeReservation(id, state, fence, begun, reserved, claim,
    table.concat({ refusedDigest, refusedFence, message, epoch, movedOnBy }, '\t'))
  return 1
end
local caller, _, _, _, count, sum = readReserved(reserved)
local member = inFlight(id, count, sum)
if isRebuiltWithout(redis.call('ZREM', key('executing'), member)) then
  return false
end
writeReservation(id, 'quarantined', fence, begun, reserved, heldSince(claim),
  table.concat({ ARGV[2], '0', ARGV[4], ARGV[5], '' }, '\t'))
redis.call('ZADD', key('quarantined'), at, member)
if ARGV[7] ~= '1' then
  countQuarantine(caller, id, at)
end
return 2
