-- Chooses coins for each request of a burst: a single coin of the smallest class that surely covers the
-- budget, first in first out, so that coins rotate; otherwise one of the first coins of the class that may
-- cover it; only then several, the largest first, since all but one of them are smashed.
local LOOK_AT = 16
local classes = ''

-- Coins taken in advance for the next requests, the next of them last; the class that they came from and the
-- class that these requests need.
local ahead, aheadClass, aheadNeed = {}, nil, nil

-- Coins that a request did not get because of its caller's limits return to the head of their list.
local function returnAhead()
  for _, coin in ipairs(ahead) do
    if redis.call('LPUSH', key('available:' .. aheadClass), coin) == 1 then
      redis.call('SETRANGE', key('classes'), aheadClass, '1')
    end
  end
  ahead = {}
end

-- The first coin of the smallest class from `class` up that has one. `alike`: number of consecutive requests,
-- this one included, that need the same class.
local function takeSure(class, alike)
  if aheadNeed ~= class then
    returnAhead()
  elseif #ahead > 0 then
    return table.remove(ahead)
  end
  local found = string.find(classes, '1', class + 1, true)
  while found do
    local coins = redis.call('LPOP', key('available:' .. found - 1), alike == 1 and '1' or alike)
    if coins then
      aheadClass, aheadNeed = found - 1, class
      for place = #coins, 2, -1 do
        ahead[#ahead + 1] = coins[place]
      end
      return coins[1]
    end
    redis.call('SETRANGE', key('classes'), found - 1, '0')
    classes = string.sub(classes, 1, found - 1) .. '0' .. string.sub(classes, found + 1)
    found = string.find(classes, '1', found + 1, true)
  end
  return nil
end

-- One of the first coins of a class only some of whose coins cover the budget.
local function takeCovering(class, budget)
  local list = key('available:' .. class)
  for _, coin in ipairs(redis.call('LRANGE', list, 0, LOOK_AT - 1)) do
    if tonumber(balanceOf(coin)) >= budget then
      redis.call('LREM', list, 1, coin)
      return coin
    end
  end
  return nil
end

-- Several coins, largest classes first: the coins, how many, their sum. Nil when no `most` of them cover the
-- budget; nil and true when some do, but more than the caller may have.
local function takeSeveral(budget, most, callersMost)
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
      return decimal(sum)
    end
    local high, low = 0, 0
    for _, coin in ipairs(coins) do
      local balance = balanceOf(coin)
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
        sum = sum + tonumber(balanceOf(coin))
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

-- Coins for a request, their number and their sum; nil without coins; nil and true when it would take more
-- than `callersMost`.
local function chooseCoins(budget, sureClass, alike, possibleClass, most, callersMost)
  local coin = takeSure(sureClass, alike)
  if not coin and possibleClass ~= sureClass then
    coin = takeCovering(possibleClass, tonumber(budget))
  end
  if coin then
    return coin, '1', balanceOf(coin)
  end
  return takeSeveral(tonumber(budget), most, callersMost)
end
