-- Compares decimal texts without leading zeros, of any length: below 0, 0 or above 0.
local function compareDecimals(left, right)
  if #left ~= #right then
    return #left - #right
  elseif left < right then
    return -1
  end
  return left == right and 0 or 1
end

local function fits(order, operator)
  if order == 0 then
    return operator == '=' or operator == '<=' or operator == '>='
  elseif operator == '!=' then
    return true
  end
  return string.sub(operator, 1, 1) == (order < 0 and '<' or '>')
end

-- Counts a claim in every counter that is to hold it, if all comparisons have the expected result. Several
-- checks may compare one counter, in which the claim counts once. Announces the thresholds that budgets
-- reach. A check: counter, kind, amount, operator, limit, window in ms, expected (1 or 0), held (1 or 0),
-- budget (includes/thresholds.lua). Returns the reservation's held amounts; or nil and, per check, the amount
-- used before and the remaining time of its window.
local function holdUsage(checks, nowMs)
  local counters, byName, wrong = {}, {}, false
  for _, check in ipairs(checks) do
    local name, kind, amount, operator, limit, windowMs, expected, held = unpack(check)
    local counter = byName[name]
    if not counter then
      local usage = key('usage:' .. name)
      local before, window = unpack(redis.call('HMGET', usage, 'used', 'window'))
      local begins = not window
      if begins then
        before, window = '0', decimal(nowMs)
        redis.call('HSET', usage, 'used', before, 'window', window)
        redis.call('PEXPIRE', usage, windowMs)
      end
      redis.call('HINCRBY', usage, 'used', amount)
      -- Read again, because HINCRBY's reply as a number is exact below 2^53 only.
      local used = redis.call('HGET', usage, 'used')
      counter = { name = name, kind = kind, amount = amount, usage = usage, begins = begins, before = before,
        used = used, window = window, isHeld = false }
      byName[name] = counter
      counters[#counters + 1] = counter
    end
    if fits(compareDecimals(counter.used, limit), operator) ~= (expected == '1') then
      wrong = true
      check.hasNoRoom = expected == '1' and not counter.begins
    end
    counter.isHeld = counter.isHeld or held == '1'
  end
  local holds = {}
  for _, counter in ipairs(counters) do
    if counter.isHeld and not wrong then
      holds[#holds + 1] = table.concat({ counter.name, counter.kind, counter.window, counter.amount }, '|')
    elseif counter.begins then
      redis.call('DEL', counter.usage)
    else
      changeUsage(counter.name, counter.window, -tonumber(counter.amount))
    end
  end
  for _, check in ipairs(checks) do
    local name, limit, budget = check[1], check[5], check[9]
    local counter = byName[name]
    if budget ~= '' and wrong and check.hasNoRoom then
      announceThreshold(counter, 100, counter.before, limit, budget)
    elseif budget ~= '' and not wrong and counter.isHeld then
      announceThreshold(counter, thresholdOf(counter.used, limit), counter.used, limit, budget)
    end
  end
  if not wrong then
    return table.concat(holds, ',')
  end
  local usages = {}
  for _, check in ipairs(checks) do
    local counter = byName[check[1]]
    usages[#usages + 1] = counter.before
    usages[#usages + 1] = redis.call('PTTL', counter.usage)
  end
  return nil, usages
end
