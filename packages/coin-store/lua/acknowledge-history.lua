-- Deletes entries of ended reservations that are in the database.
--
-- KEYS[1]  prefix of the pool
-- ARGV     consumer group, then for each entry: its id, reservation id, digest ('': none)
-- Returns  number of deleted entries
local group, stream = take(1), key('history')
local entries, members = {}, {}
while hasMore() do
  local entry, id, digest = take(3)
  entries[#entries + 1] = entry
  members[#members + 1] = id .. '|' .. entry
  -- The same transaction may have been bound to a later reservation of the same coins.
  if digest ~= '' and redis.call('HGET', key('history-digests'), digest) == id then
    redis.call('HDEL', key('history-digests'), digest)
  end
end
redis.call('XACK', stream, group, unpack(entries))
redis.call('ZREM', key('history-index'), unpack(members))
return redis.call('XDEL', stream, unpack(entries))
