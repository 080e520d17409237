-- Returns a reservation's held amounts to its counters: its transaction has not executed and never will.
local function releaseUsage(holds)
  for counter, _, window, amount in string.gmatch(holds, '([^|,]+)|([^|]+)|([^|]+)|([^,]+)') do
    changeUsage(counter, window, -tonumber(amount))
  end
end
