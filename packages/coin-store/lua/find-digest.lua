-- Finds the reservation that a transaction was claimed for. An old claim is no longer listed by its digest,
-- but may be in flight: then the script searches a page of the transactions in flight.
--
-- KEYS[1]  prefix of the pool
-- ARGV     digest, number of transactions of each state to skip, number to search
-- Returns  {'found', reservation id}, {'more'} when there are more to search, {'none'}
local digest, offset, count = ARGV[1], tonumber(ARGV[2]), tonumber(ARGV[3])
local known = redis.call('GET', claimedByKey(digest))
if known then
  return { 'found', known }
end
local tag = 'none'
for _, state in ipairs(IN_FLIGHT) do
  if redis.call('ZCARD', key(state)) > offset + count then
    tag = 'more'
  end
  for id in eachInFlight(state, offset, offset + count - 1) do
    local reservation = readReservation(id)
    if reservation and reservation.claim and reservation.claim.digest == digest then
      return { 'found', id }
    end
  end
end
return { tag }
