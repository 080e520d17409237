local CHECK_FIELDS = 8

-- Compares decimal texts without leading zeros, of any length: below 0, 0 or above 0.
local function compareDecimals(a, b)
  if #a ~= #b then
    return #a - #b
  elseif a < b then
    return -1
  end
  return a == b and 0 or 1
end

local function fits(order, operator)
  if order == 0 then
    return operator == '=' or operator == '<=' or operator == '>='
  elseif operator == '!=' then
    return true
  end
  return string.sub(operator, 1, 1) == (order < 0 and '<' or '>')
end

-- Counts a claim in every counter that is to hold it, if all comparisons have the expected result. Several checks may
-- compare one counter, in which the claim counts once.
-- `count` checks, in ARGV from `first` on, eight fields each: counter, kind, amount, operator, limit, window in ms,
-- expected (1 or 0), held.
-- Returns the reservation's held amounts; or nil and, per check, the amount used before and the remaining time of its
-- window.
local function holdUsage(first, count, at)
  local counters, byName, wrong = {}, {}, false
  local last = first + (count - 1) * CHECK_FIELDS
  for i = first, last, CHECK_FIELDS do
    local name = ARGV[i]
    local counter = byName[name]
    if not counter then
      local usage = key('usage:' .. name)
      local begins = redis.call('EXISTS', usage) == 0
      if begins then
        redis.call('HSET', usage, 'used', '0', 'window', string.format('%.0f', at))
        redis.call('PEXPIRE', usage, ARGV[i + 5])
      end
      local before = redis.call('HGET', usage, 'used')
      redis.call('HINCRBY', usage, 'used', ARGV[i + 2])
      -- Read again, because HINCRBY's reply as a number is exact below 2^53 only.
      local counted = redis.call('HMGET', usage, 'used', 'window')
      counter = { name = name, kind = ARGV[i + 1], amount = ARGV[i + 2], usage = usage, begins = begins, before = before,
        used = counted[1], window = counted[2], isHeld = false }
      byName[name] = counter
      counters[#counters + 1] = counter
    end
    if fits(compareDecimals(counter.used, ARGV[i + 4]), ARGV[i + 3]) ~= (ARGV[i + 6] == '1') then
      wrong = true
    end
    counter.isHeld = counter.isHeld or ARGV[i + 7] == '1'
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
  if not wrong then
    return table.concat(holds, ',')
  end
  local usages = {}
  for i = first, last, CHECK_FIELDS do
    usages[#usages + 1] = byName[ARGV[i]].before
    usages[#usages + 1] = redis.call('PTTL', key('usage:' .. ARGV[i]))
  end
  return nil, usages
end
