-- Finds the reservation that a transaction was claimed for. An old claim is no longer listed by its digest, but may be
-- in flight: then the script searches a page of the transactions in flight.
--
-- KEYS[1]  prefix of the pool
-- ARGV     digest, number of transactions of each state to skip, number to search
-- Returns  {reservation id or ''; 1 when there are more to search, otherwise 0}
--@include key
--@include reservation
--@include claimed-by
local digest, offset, count = ARGV[1], tonumber(ARGV[2]), tonumber(ARGV[3])
local known = redis.call('GET', claimedByKey(digest))
if known then
  return { known, 0 }
end
local hasMore = 0
for _, state in ipairs({ 'claimed', 'executing', 'quarantined' }) do
  local members = redis.call('ZRANGE', key(state), offset, offset + count - 1)
  if #members == count then
    hasMore = 1
  end
  for _, member in ipairs(members) do
    local id = string.match(member, '^%d+')
    if string.find(redis.call('GET', key('reservation:' .. id)) or '', digest, 1, true) then
      local _, _, _, _, claim = readReservation(id)
      if readDigest(claim) == digest then
        return { id, 0 }
      end
    end
  end
end
return { '', hasMore }
