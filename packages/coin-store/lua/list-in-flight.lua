-- Claims whose lease is over, or executions that no executor has resumed for some time, oldest first.
--
-- KEYS[1]  prefix of the pool
-- ARGV     state (claimed, executing or quarantined), least age in ms past its score, the most to list
-- Returns  flat triples: reservation id, digest, fence
--@include key
--@include now
--@include reservation
local listed = {}
local before = now() - tonumber(ARGV[2])
for _, member in ipairs(redis.call('ZRANGEBYSCORE', key(ARGV[1]), '-inf', before, 'LIMIT', 0, ARGV[3])) do
  local id = string.match(member, '^%d+')
  local _, fence, _, _, claim = readReservation(id)
  -- A lost reservation does not affect the others of the list; rebuild-pool.lua drops it.
  if fence then
    listed[#listed + 1] = id
    listed[#listed + 1] = readDigest(claim)
    listed[#listed + 1] = fence
  end
end
return listed
