-- Corrects a reservation's held amounts to its transaction's cost (a number). A transaction that has not executed and
-- never will is no longer counted among requests.
local function settleUsage(holds, cost, executed)
  for counter, kind, window, amount in string.gmatch(holds, '([^|,]+)|([^|]+)|([^|]+)|([^,]+)') do
    if kind == 'gas' then
      changeUsage(counter, window, cost - tonumber(amount))
    elseif not executed then
      changeUsage(counter, window, -tonumber(amount))
    end
  end
end
