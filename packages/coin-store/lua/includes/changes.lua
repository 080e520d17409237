-- Changes of sponsorships, for those who follow them. While `followed` exists, each transition adds the facts about its
-- reservation to the stream `changes` (`StoredSponsorship` of packages/contracts). read-changes.lua begins the stream.
local MOST_CHANGES = '5000'

-- Nothing is added to a stream that has not begun, and no failure stops sponsoring.
local function addChange(fields)
  redis.pcall('XADD', key('changes'), 'NOMKSTREAM', 'MAXLEN', '~', MOST_CHANGES, '*', unpack(fields))
end

-- Reports a reservation that goes on in another state.
local function reportChange(reservation)
  if isFollowed(reservation) then
    local kept = redis.call('MGET', payloadKey(reservation.id), trailKey(reservation.id))
    addChange((describeSponsorship(reservation, kept[1], kept[2], {})))
  end
end
