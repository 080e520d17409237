local CHECK_FIELDS = 8

-- Compares decimal texts without leading zeros, of any length.
local function compareDecimals(a, b)
  if #a ~= #b then
    return #a < #b and -1 or 1
  end
  if a == b then
    return 0
  end
  return a < b and -1 or 1
end

local function fits(order, operator)
  if order == 0 then
    return operator == '=' or operator == '<=' or operator == '>='
  elseif operator == '!=' then
    return true
  end
  return string.sub(operator, 1, 1) == (order < 0 and '<' or '>')
end

-- Counts a claim in every counter that is to hold it, if all comparisons come out as expected.
-- `count` checks, in ARGV from `first` on, eight fields each: counter, kind, amount, operator, limit, window in ms,
-- expected (1 or 0), held.
-- Returns what the reservation holds; or nil and, per check, what was used before and how long its window still lasts.
local function holdUsage(first, count, at)
  local counted, wrong = {}, false
  for i = first, first + (count - 1) * CHECK_FIELDS, CHECK_FIELDS do
    local usage = key('usage:' .. ARGV[i])
    local begins = redis.call('EXISTS', usage) == 0
    if begins then
      redis.call('HSET', usage, 'used', '0', 'window', string.format('%.0f', at))
      redis.call('PEXPIRE', usage, ARGV[i + 5])
    end
    local before = redis.call('HGET', usage, 'used')
    redis.call('HINCRBY', usage, 'used', ARGV[i + 2])
    local order = compareDecimals(redis.call('HGET', usage, 'used'), ARGV[i + 4])
    if fits(order, ARGV[i + 3]) ~= (ARGV[i + 6] == '1') then
      wrong = true
    end
    counted[#counted + 1] = { i, redis.call('HGET', usage, 'window'), before, begins }
  end
  local holds = {}
  for _, one in ipairs(counted) do
    local i, window = one[1], one[2]
    if wrong or ARGV[i + 7] ~= '1' then
      changeUsage(ARGV[i], window, -tonumber(ARGV[i + 2]))
      if one[4] then
        redis.call('DEL', key('usage:' .. ARGV[i]))
      end
    else
      holds[#holds + 1] = table.concat({ ARGV[i], ARGV[i + 1], window, ARGV[i + 2] }, '|')
    end
  end
  if not wrong then
    return table.concat(holds, ',')
  end
  local usages = {}
  for _, one in ipairs(counted) do
    usages[#usages + 1] = one[3]
    usages[#usages + 1] = redis.call('PTTL', key('usage:' .. ARGV[one[1]]))
  end
  return nil, usages
end
