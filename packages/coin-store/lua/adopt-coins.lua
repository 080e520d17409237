-- Takes coins the sponsor owns into the pool. Known coins stay as they are, and one that left the pool lately is not
-- taken again: the node that listed it may lag.
--
-- KEYS[1]  prefix of the pool
-- ARGV     two per coin: objectId, coin
-- Returns  how many were new
--@include key
--@include shift-totals
--@include place-coin
--@include bring-coin
local adopted = 0
for i = 1, #ARGV, 2 do
  local objectId = ARGV[i]
  if not redis.call('ZSCORE', key('gone'), objectId) and redis.call('SADD', key('coins'), objectId) == 1 then
    bringCoin(ARGV[i + 1])
    adopted = adopted + 1
  end
end
flushTotals()
return adopted
