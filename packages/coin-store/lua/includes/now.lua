-- Milliseconds since 1970 by this server's clock, the only one that decides about deadlines and leases.
local function now()
  local time = redis.call('TIME')
  return tonumber(time[1]) * 1000 + math.floor(tonumber(time[2]) / 1000)
end
