-- The facts about sponsorships that are open, or have ended and are not in the database yet.
--
-- KEYS[1]  prefix of the pool
-- ARGV     whose sponsorships may be seen: a caller, or a token with all its users; '' for everybody's. Then
--          reservation ids
-- Returns  for each: flat pairs (`StoredSponsorship` of packages/contracts); nothing for any other
local OPEN = { reserved = true, claimed = true, executing = true, quarantined = true }

local viewer = take(1)

local function isVisible(caller)
  return viewer == '' or caller == viewer or string.sub(caller, 1, #viewer + 1) == viewer .. ':'
end

local function callerOf(fields)
  for index = 1, #fields - 1, 2 do
    if fields[index] == 'caller' then
      return fields[index + 1]
    end
  end
  return ''
end

local function read(id)
  local member = redis.call('ZRANGEBYSCORE', key('history-index'), id, id)[1]
  if member then
    local entry = string.match(member, '|(.*)$')
    local found = redis.call('XRANGE', key('history'), entry, entry)[1]
    -- An operator may have deleted entries from the stream.
    return found and isVisible(callerOf(found[2])) and found[2] or {}
  end
  if viewer ~= '' and not isVisible(readCaller(id) or '') then
    return {}
  end
  local reservation = readReservation(id)
  if not reservation or not OPEN[reservation.state] then
    return {}
  end
  local kept = redis.call('MGET', payloadKey(id), trailKey(id))
  return (describeSponsorship(reservation, kept[1], kept[2], {}))
end

local sponsorships = {}
while hasMore() do
  sponsorships[#sponsorships + 1] = read((take(1)))
end
return sponsorships
