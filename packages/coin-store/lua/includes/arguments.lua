-- Reads ARGV from its beginning, for scripts with lists of arguments. Each script names the fields where it
-- takes them, once.
local taken = 0

-- The next `count` arguments.
local function take(count)
  taken = taken + count
  return unpack(ARGV, taken - count + 1, taken)
end

-- The next number: of items that follow, each of `size` arguments. A wrong one would take the arguments of
-- others.
local function takeCount(size)
  local count = tonumber(take(1))
  if not count or count < 0 or count % 1 ~= 0 or count * size > #ARGV - taken then
    error('argument ' .. taken .. ' is not a number of items')
  end
  return count
end

-- The next list: its length, then its items.
local function takeList()
  local list, count = {}, takeCount(1)
  for index = 1, count do
    list[index] = ARGV[taken + index]
  end
  taken = taken + count
  return list
end

-- The next list of pairs: how many, then a name and a value each.
local function takePairs()
  local values = {}
  for _ = 1, takeCount(2) do
    local name, value = take(2)
    values[name] = value
  end
  return values
end

-- The next list of records: how many, then `size` fields each.
local function takeRecords(size)
  local records = {}
  for index = 1, takeCount(size) do
    records[index] = { take(size) }
  end
  return records
end

local function hasMore()
  return taken < #ARGV
end

-- Runs one of several transitions in a call. An error becomes its reply, {'failed', message}; the other
-- transitions are unaffected.
local function attempt(transition, ...)
  local kept = #undos
  local isRun, reply = pcall(transition, ...)
  if isRun then
    return reply
  end
  rollBack(kept)
  return { 'failed', tostring(reply) }
end
