-- Corrects what a reservation holds to the gas that was charged (decimal text); a rebate above the cost counts as none.
local function settleUsage(holds, charged)
  local gas = math.max(0, tonumber(charged))
  for counter, kind, window, amount in string.gmatch(holds, '([^|,]+)|([^|]+)|([^|]+)|([^,]+)') do
    if kind == 'gas' then
      changeUsage(counter, window, gas - tonumber(amount))
    end
  end
end
