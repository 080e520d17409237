-- Publishes a reply for the gateways of a list of waiters (gateway|type,…), once for each.
local function publishReply(waiters, prefix, reply)
  local told = {}
  for gateway in string.gmatch(waiters, '([^|,]+)|[^,]*') do
    if not told[gateway] then
      told[gateway] = true
      redis.call('PUBLISH', prefix .. gateway, reply)
    end
  end
end
