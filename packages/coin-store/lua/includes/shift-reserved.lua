-- Counts the coins of unused reservations (direction 1), or subtracts them (-1). `reserved` holds the number of
-- reservations; coins beyond the first of each are counted as further ones.
local function shiftReserved(count, sum, direction)
  shiftTotal('reserved:balance', sum, direction)
  if count ~= '1' then
    shiftTotal('reserved:further', string.format('%.0f', count - 1), direction)
  end
end
