-- Deletes the lock of an input, if this claim has it.
--
-- KEYS[1]  prefix of the input
-- ARGV     the claim (sponsor|reservation id|digest|fence)
-- Returns  1, or 0 when another claim has it, or none
if redis.call('GET', key('lock')) ~= ARGV[1] then
  return 0
end
return redis.call('DEL', key('lock'))
