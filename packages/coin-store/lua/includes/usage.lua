-- The used amounts of limits, counted when a reservation is claimed. A counter is a hash, `used` and the
-- beginning of its `window` in ms; it expires with its window, and the next use begins another. A total's
-- window is a hundred years. A reservation names its held amounts as counter|kind|window|amount,… where the
-- kind is `gas` or `requests`. An amount is one transaction's and far below 2^53; HINCRBY keeps their sums,
-- which are compared as text.

-- Iterates over held amounts: counter, kind, window, amount.
local function eachHold(holds)
  return string.gmatch(holds, '([^|,]+)|([^|]+)|([^|]+)|([^,]+)')
end

-- Changes a counter by `delta`, if its window is still the same.
local function changeUsage(counter, window, delta)
  local usage = key('usage:' .. counter)
  if delta ~= 0 and redis.call('HGET', usage, 'window') == window then
    redis.call('HINCRBY', usage, 'used', decimal(delta))
  end
end

-- Returns a reservation's held amounts to its counters: its transaction has not executed and never will.
local function releaseUsage(holds)
  for counter, _, window, amount in eachHold(holds) do
    changeUsage(counter, window, -tonumber(amount))
  end
end

-- Corrects a reservation's held amounts to its transaction's cost (a number). A transaction that has not
-- executed and never will is no longer counted among requests.
local function settleUsage(holds, cost, executed)
  for counter, kind, window, amount in eachHold(holds) do
    if kind == 'gas' then
      changeUsage(counter, window, cost - tonumber(amount))
    elseif not executed then
      changeUsage(counter, window, -tonumber(amount))
    end
  end
end
