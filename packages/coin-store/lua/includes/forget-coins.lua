-- Drops coins from the pool permanently; an outdated listing of a node must not bring them back.
local function forgetCoins(objectIds, at)
  local gone = {}
  for i, objectId in ipairs(objectIds) do
    gone[2 * i - 1] = at
    gone[2 * i] = objectId
  end
  redis.call('SREM', key('coins'), unpack(objectIds))
  redis.call('ZADD', key('gone'), unpack(gone))
end
