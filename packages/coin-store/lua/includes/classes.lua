-- `classes` has one character for each class of balance: '1' where coins may be available. It is cleared when
-- a class is found empty.

-- The classes that may have available coins, the largest first.
local function listClasses(classes)
  classes = classes or redis.call('GET', key('classes')) or ''
  local listed = {}
  local backwards = string.reverse(classes)
  local place = string.find(backwards, '1', 1, true)
  while place do
    listed[#listed + 1] = decimal(#classes - place)
    place = string.find(backwards, '1', place + 1, true)
  end
  return listed
end

-- The number of available coins in each of these classes: flat pairs class, coins.
local function countClasses()
  local counted = {}
  for _, class in ipairs(listClasses()) do
    counted[#counted + 1] = class
    counted[#counted + 1] = redis.call('LLEN', key('available:' .. class))
  end
  return counted
end
