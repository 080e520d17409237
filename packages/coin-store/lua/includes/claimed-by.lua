-- The reservation that a transaction was claimed for, string `claimed-by:<digest>`: kept until some time after the
-- deadline of the reservation, for lookups of a digest.
local CLAIMED_BY_KEPT_MS = 600000

local function claimedByKey(digest)
  return key('claimed-by:' .. digest)
end

local function writeClaimedBy(digest, id, deadline, at)
  redis.call('SET', claimedByKey(digest), id, 'PX', string.format('%.0f', deadline - at + CLAIMED_BY_KEPT_MS))
end
