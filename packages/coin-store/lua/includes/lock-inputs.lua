-- Locks of inputs that only one transaction in flight may use: `inputs` maps objectId:version to the reservation
-- that its transaction is bound to. Two transactions over one object, submitted at once, can make validators hold the
-- coins of both until the epoch ends.

-- The first of `count` inputs, from ARGV[first] on, that another reservation's transaction uses, and that reservation.
local function findLockedInput(first, count, id)
  for i = first, first + count - 1 do
    local holder = redis.call('HGET', key('inputs'), ARGV[i])
    if holder and holder ~= id then
      return ARGV[i], holder
    end
  end
  return nil
end

-- Returns what the reservation stores of them: comma-separated.
local function lockInputs(first, count, id)
  local inputs = {}
  for i = first, first + count - 1 do
    inputs[#inputs + 1] = ARGV[i]
    redis.call('HSET', key('inputs'), ARGV[i], id)
  end
  return table.concat(inputs, ',')
end
