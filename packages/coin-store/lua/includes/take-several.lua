-- Several coins, largest classes first: the coins, how many, their sum. Nil when no `most` of them cover the budget; nil and
-- true when some do, but more than the caller may have.
local function takeSeveral(classes, budget, most, callersMost)
  -- The smallest balance above those of a class.
  local function endOf(class)
    local next = class + 1
    if next < 8 then
      return next
    end
    return (8 + next % 8) * 2 ^ (math.floor(next / 8) - 1)
  end

  local EXACT = 2 ^ 53
  -- The sum of all balances as text, exact when a double is not.
  local function sumOf(coins, sum)
    if sum < EXACT then
      return string.format('%.0f', sum)
    end
    local high, low = 0, 0
    for _, coin in ipairs(coins) do
      local balance = string.match(coin, '^%d+')
      high = high + (tonumber(string.sub(balance, 1, -14)) or 0)
      low = low + tonumber(string.sub(balance, -13))
    end
    return string.format('%.0f%013.0f', high + math.floor(low / 1e13), low % 1e13)
  end

  local taken, coins, sum = {}, {}, 0
  for _, class in ipairs(listClasses(classes)) do
    local list = key('available:' .. class)
    local count, more = 0, true
    while more and sum < budget and #coins < most do
      -- As many as are needed even if each is as large as the class allows: never too many.
      local wanted = math.min(most - #coins, math.max(1, math.ceil((budget - sum) / endOf(class))))
      local found = redis.call('LRANGE', list, count, count + wanted - 1)
      for _, coin in ipairs(found) do
        coins[#coins + 1] = coin
        sum = sum + tonumber(string.match(coin, '^%d+'))
      end
      count = count + #found
      more = #found == wanted
    end
    taken[list] = count
  end
  if sum < budget then
    return nil
  elseif #coins > callersMost then
    return nil, true
  end
  for list, count in pairs(taken) do
    if count > 0 then
      redis.call('LTRIM', list, count, -1)
    end
  end
  return table.concat(coins, ','), tostring(#coins), sumOf(coins, sum)
end
