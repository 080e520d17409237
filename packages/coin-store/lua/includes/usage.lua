-- What is used of limits, counted when a reservation is claimed. A counter is a hash, `used` and the `window` it counts in (when
-- that began, in ms); it expires with its window, and the next use begins another. A reservation names what it holds
-- as counter|kind|window|amount,… where the kind is `gas` or `requests`. An amount is one transaction's and far below
-- 2^53; what they add up to is kept by HINCRBY and compared as text.

-- Changes a counter by `delta`, if its window is still the one that was counted in.
local function changeUsage(counter, window, delta)
  local usage = key('usage:' .. counter)
  if delta ~= 0 and redis.call('HGET', usage, 'window') == window then
    redis.call('HINCRBY', usage, 'used', string.format('%.0f', delta))
  end
end
