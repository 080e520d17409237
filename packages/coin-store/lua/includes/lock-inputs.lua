-- The inputs of the pool's transactions in flight: `inputs` maps objectId:version to the reservation that the transaction is
-- bound to. Each is locked for all pools before (lock-input.lua); a coin-pool of the release before this looks only here.

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
