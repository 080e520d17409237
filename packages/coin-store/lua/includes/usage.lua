-- The used amounts of limits, counted when a reservation is claimed. A counter is a hash, `used` and the beginning of
-- its `window` in ms; it expires with its window, and the next use begins another. A reservation names its held
-- amounts as counter|kind|window|amount,… where the kind is `gas` or `requests`. An amount is one transaction's and
-- far below 2^53; HINCRBY keeps their sums, which are compared as text.

-- Changes a counter by `delta`, if its window is still the same.
local function changeUsage(counter, window, delta)
  local usage = key('usage:' .. counter)
  if delta ~= 0 and redis.call('HGET', usage, 'window') == window then
    redis.call('HINCRBY', usage, 'used', string.format('%.0f', delta))
  end
end
