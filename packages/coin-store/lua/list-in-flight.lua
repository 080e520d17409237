-- Claims whose lease is over, or executions that no executor has resumed for some time, oldest first.
--
-- KEYS[1]  prefix of the pool
-- ARGV     state (claimed, executing or quarantined), least age in ms past its score, the most to read, how
--          many to skip
-- Returns  {how many were read, for each {reservation id, digest, fence}}
local state, leastAgeMs, most, skipped = unpack(ARGV)
local listed = {}
local due = redis.call('ZRANGEBYSCORE', key(state), '-inf', now() - tonumber(leastAgeMs), 'LIMIT', skipped, most)
for _, member in ipairs(due) do
  local id = idOf(member)
  local reservation = readReservation(id)
  -- A lost reservation does not affect the others of the list; rebuild-pool.lua drops it.
  if reservation then
    listed[#listed + 1] = { id, reservation.claim and reservation.claim.digest or '', reservation.fence }
  end
end
return { #due, listed }
