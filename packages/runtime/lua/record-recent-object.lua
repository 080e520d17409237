-- Records a recent object unless a version as high is recorded already, in whatever order records arrive.
--
-- KEYS[1]  the object's record: `version digest owner`
-- ARGV     the version, the record, the time in ms for which it is kept
-- Returns 1 if it was recorded, otherwise 0.
local stored = redis.call('GET', KEYS[1])
if stored and tonumber(string.match(stored, '^%d+')) >= tonumber(ARGV[1]) then
  return 0
end
redis.call('SET', KEYS[1], ARGV[2], 'PX', ARGV[3])
return 1
