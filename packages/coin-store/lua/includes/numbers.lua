-- Redis keeps whole numbers as decimal text. Balances have 64 bits: they stay text, and HINCRBY adds them up.

-- The text of a whole number below 2^53.
local function decimal(number)
  return string.format('%.0f', number)
end

-- Throws unless a text is a whole number that a total can take.
local function requireAmount(text)
  if not string.find(text, '^%-?%d+$') or #text > 19 then
    error('no amount: ' .. text)
  end
end

-- Throws unless a text is a time in ms after which a key can expire.
local function requireDuration(text)
  if not string.find(text, '^%d+$') or #text > 15 or tonumber(text) == 0 then
    error('no duration: ' .. text)
  end
end

-- Milliseconds since 1970 by this server's clock, the only one that decides about deadlines and leases.
local function now()
  local time = redis.call('TIME')
  return tonumber(time[1]) * 1000 + math.floor(tonumber(time[2]) / 1000)
end
