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
local deleted = redis.call('XDEL', stream, unpack(entries))
local weights = key('history-weights')
if redis.call('EXISTS', weights) == 1 then
  local sum = 0
  for _, weight in ipairs(redis.call('HMGET', weights, unpack(entries))) do
    sum = sum + (tonumber(weight or '') or 0)
  end
  redis.call('HDEL', weights, unpack(entries))
  if redis.call('XLEN', stream) > 0 and redis.call('EXISTS', weights) == 1 then
    redis.call('DECRBY', key('history-weight'), decimal(sum))
  else
    redis.call('DEL', weights, key('history-weight'))
  end
end
return deleted
