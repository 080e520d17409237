-- Reads ARGV from its beginning, for scripts with lists of arguments. Each script names the fields where it takes them, once.
local taken = 0

-- The next `count` arguments.
local function take(count)
  taken = taken + count
  return unpack(ARGV, taken - count + 1, taken)
end

-- The next list: its length, then its items.
local function takeList()
  local list = {}
  for i = 1, tonumber(take(1)) do
    list[i] = ARGV[taken + i]
  end
  taken = taken + #list
  return list
end

-- The next list of pairs: how many, then a name and a value each.
local function takePairs()
  local values = {}
  for _ = 1, tonumber(take(1)) do
    local name, value = take(2)
    values[name] = value
  end
  return values
end

-- The next list of records: how many, then `size` fields each.
local function takeRecords(size)
  local records = {}
  for i = 1, tonumber(take(1)) do
    records[i] = { take(size) }
  end
  return records
end

local function hasMore()
  return taken < #ARGV
end

-- Runs one of several transitions in a call. An error becomes its reply, {'failed', message}; the other transitions are
-- unaffected.
local function attempt(transition, ...)
  local isRun, reply = pcall(transition, ...)
  if isRun then
    return reply
  end
  return { 'failed', tostring(reply) }
end
