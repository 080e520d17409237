-- The inputs of the pool's transactions in flight: `inputs` maps objectId:version to the reservation that the
-- transaction is bound to. Each is locked for all pools before (lock-input.lua).

-- The first input that another reservation's transaction uses, and that reservation. `lockedInputs`: those
-- that this call is going to lock.
local function findLockedInput(inputs, id, lockedInputs)
  for _, input in ipairs(inputs) do
    local holder = lockedInputs[input] or redis.call('HGET', key('inputs'), input)
    if holder and holder ~= id then
      return input, holder
    end
  end
  return nil
end

-- Locks inputs, each for a reservation. findLockedInput has shown the type of the key.
local function lockInputs(lockedInputs)
  local held = {}
  for input, id in pairs(lockedInputs) do
    held[#held + 1] = input
    held[#held + 1] = id
  end
  if #held > 0 then
    callRedis('HSET', key('inputs'), unpack(held))
  end
end

-- The text of a lock, for the coin-pool: input, reservation id, digest and fence, separated by tabs.
local function describeLock(input, reservation)
  return table.concat({ input, reservation.id, reservation.claim.digest, reservation.fence }, '\t')
end

-- Releases the inputs of a transaction that has ended or will never execute. Each has its lock in its own
-- slot (lock-input.lua); `unlocked` lists those that the leader is to delete.
local function unlockInputs(reservation)
  for input in string.gmatch(reservation.claim.inputs, '[^,]+') do
    redis.call('HDEL', key('inputs'), input)
    redis.call('RPUSH', key('unlocked'), describeLock(input, reservation))
  end
end
