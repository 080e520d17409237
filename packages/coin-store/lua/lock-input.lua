-- Locks an input for a claim, before the reservation is claimed. Two transactions over one object, submitted
-- at once, can make validators hold the coins of both until the epoch ends. The lock is in the slot of the
-- input, so that it is one for all pools.
--
-- KEYS[1]  prefix of the input
-- ARGV     the claim (sponsor|reservation id|digest|fence), how long the lock is kept in ms
-- Returns  false when the claim has it; otherwise {the claim that has it, its age in ms}
local holder, keptMs = ARGV[1], tonumber(ARGV[2])
local found = redis.call('GET', key('lock'))
if not found or found == holder then
  redis.call('SET', key('lock'), holder, 'PX', keptMs)
  return false
end
return { found, keptMs - redis.call('PTTL', key('lock')) }
