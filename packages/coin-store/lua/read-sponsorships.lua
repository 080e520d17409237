-- The facts about sponsorships that are open, or have ended and are not in the database yet.
--
-- KEYS[1]  prefix of the pool
-- ARGV     reservation ids
-- Returns  for each: flat pairs (`StoredSponsorship` of packages/contracts); nothing for any other
local OPEN = { reserved = true, claimed = true, executing = true, quarantined = true }

local function read(id)
  local member = redis.call('ZRANGEBYSCORE', key('history-index'), id, id)[1]
  if member then
    local entry = string.match(member, '|(.*)$')
    local found = redis.call('XRANGE', key('history'), entry, entry)[1]
    -- An operator may have deleted entries from the stream.
    return found and found[2] or {}
  end
  local reservation = readReservation(id)
  if not reservation or not OPEN[reservation.state] then
    return {}
  end
  local kept = redis.call('MGET', payloadKey(id), trailKey(id))
  return (describeSponsorship(reservation, kept[1], kept[2], {}))
end

local sponsorships = {}
for i, id in ipairs(ARGV) do
  sponsorships[i] = read(id)
end
return sponsorships
