-- executing: keeps submissions for history. With an epoch: every submission by this executor has ended, the
-- outcome is unknown, and this is the epoch of that moment.
--
-- KEYS[1]  prefix of the pool
-- ARGV     reservation id, digest, fence, executor, the ledger's epoch or '', a list of how long ago in ms
--          the submissions were made
-- Returns  1, or 0 when the claim has changed or another executor has begun it since, which may be submitting
--          now
local id, digest, fence, executor, epoch = take(5)
local submissions = takeList()
local reservation = readReservation(id)
if not reservation or reservation.state ~= 'executing' or reservation.fence ~= fence or
  reservation.claim.digest ~= digest or reservation.claim.executor ~= executor then
  return 0
end
appendTrail(reservation, describeSubmissions(submissions, now()))
if epoch ~= '' then
  reservation.claim.resumed = '1:' .. epoch
  writeReservation(reservation)
end
return 1
