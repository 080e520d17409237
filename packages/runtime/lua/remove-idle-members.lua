-- Removes the members of a stream's group that have neither read for a time nor anything pending. One step:
-- between two commands, Redis could give a member an entry, which would be lost with its membership.
--
-- KEYS[1]  stream
-- ARGV     group, time in ms
local stream, group, idleMs = KEYS[1], ARGV[1], tonumber(ARGV[2])
for _, fields in ipairs(redis.call('XINFO', 'CONSUMERS', stream, group)) do
  local member = {}
  for time = 1, #fields, 2 do
    member[fields[time]] = fields[time + 1]
  end
  if member.pending == 0 and member.idle >= idleMs then
    redis.call('XGROUP', 'DELCONSUMER', stream, group, member.name)
  end
end
