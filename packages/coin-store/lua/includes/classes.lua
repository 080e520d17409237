-- `classes` has one character for each class of balance: '1' where coins may be available. It is cleared when a class is
-- found empty.

-- The classes that may have available coins, the largest first.
local function listClasses(classes)
  local listed = {}
  local backwards = string.reverse(classes)
  local place = string.find(backwards, '1', 1, true)
  while place do
    listed[#listed + 1] = string.format('%.0f', #classes - place)
    place = string.find(backwards, '1', place + 1, true)
  end
  return listed
end
