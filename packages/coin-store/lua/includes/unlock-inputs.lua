-- Releases the inputs of a transaction that has ended or will never execute. Each has its lock in its own slot
-- (lock-input.lua); those that are to be deleted are listed for the leader (take-unlocked.lua).
local function unlockInputs(id, fence, claim)
  local digest, _, _, _, _, inputs = readClaim(claim)
  for input in string.gmatch(inputs, '[^,]+') do
    redis.call('HDEL', key('inputs'), input)
    redis.call('RPUSH', key('unlocked'), table.concat({ input, id, digest, fence }, '\t'))
  end
end
