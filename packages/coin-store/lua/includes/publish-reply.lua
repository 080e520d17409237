-- Publishes a reply for the gateways of a list of waiters (gateway|type,…), once for each. A failure must not undo the
-- reported outcome: gateways also query the coin-pool.
local function publishReply(waiters, prefix, reply)
  local told = {}
  for gateway in string.gmatch(waiters, '([^|,]+)|[^,]*') do
    if not told[gateway] then
      told[gateway] = true
      redis.pcall('PUBLISH', prefix .. gateway, reply)
    end
  end
end
