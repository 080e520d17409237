-- Takes coins the sponsor owns into the pool. Known coins stay as they are, and one that left the pool lately is not
-- taken again: the node that listed it may lag.
--
-- KEYS[1]  prefix of the pool
-- ARGV     two per coin: objectId, record
-- Returns  how many were new
--@include key
--@include shift-totals
--@include place-coin
local adopted = 0
for i = 1, #ARGV, 2 do
  local objectId, record = ARGV[i], ARGV[i + 1]
  local known = redis.call('HEXISTS', key('coins'), objectId) == 1
  if not known and not redis.call('ZSCORE', key('gone'), objectId) then
    redis.call('HSET', key('coins'), objectId, record)
    placeCoin(objectId, record)
    adopted = adopted + 1
  end
end
flushTotals()
return adopted
