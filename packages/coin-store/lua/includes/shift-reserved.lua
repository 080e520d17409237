-- Counts what unused reservations hold (direction 1) or no longer hold (-1). How many there are `reserved` tells; coins
-- beyond the first of each are counted as further ones.
local function shiftReserved(count, sum, direction)
  shiftTotal('reserved:balance', sum, direction)
  if count ~= '1' then
    shiftTotal('reserved:further', string.format('%.0f', count - 1), direction)
  end
end
