-- Changes of sponsorships, for those who follow them. While `followed` exists, each transition adds the facts about its
-- reservation to the stream `changes` (`StoredSponsorship` of packages/contracts). read-changes.lua begins the stream.
local MOST_CHANGES = '5000'
-- A change has up to 200 kB of a transaction: those beyond the first size are bounded by their sum too.
local LARGE_BYTES, MOST_LARGE_BYTES = 2048, 33554432

-- Keeps the newer half when large changes fill the stream. The sum that remains is an estimate.
local function boundChanges(bytes)
  local large = redis.call('INCRBY', key('changes-bytes'), bytes)
  if large > MOST_LARGE_BYTES then
    redis.call('XTRIM', key('changes'), 'MAXLEN', math.floor(redis.call('XLEN', key('changes')) / 2))
    redis.call('SET', key('changes-bytes'), decimal(math.floor(large / 2)))
  end
end

-- Nothing is added to a stream that has not begun.
local function appendChange(fields)
  local id = redis.call('XADD', key('changes'), 'NOMKSTREAM', 'MAXLEN', '~', MOST_CHANGES, '*', unpack(fields))
  local bytes = 0
  for _, field in ipairs(fields) do
    bytes = bytes + #tostring(field)
  end
  if id and bytes > LARGE_BYTES then
    boundChanges(bytes)
  end
end

-- No failure stops sponsoring.
local function addChange(fields)
  attempt(appendChange, fields)
end

-- Reports a reservation that goes on in another state.
local function reportChange(reservation)
  if isFollowed(reservation) then
    local kept = redis.call('MGET', payloadKey(reservation.id), trailKey(reservation.id))
    addChange((describeSponsorship(reservation, kept[1], kept[2], {})))
  end
end
