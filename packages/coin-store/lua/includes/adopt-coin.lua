-- Adopts a coin, unless the pool has it already or had it recently. The caller may be late: a node that lags lists
-- coins that have been smashed since, and a split that another process finishes may have made coins that were adopted
-- from a listing, paid for transactions and are gone. Returns whether the coin is new.
local function adoptCoin(objectId, coin)
  if redis.call('ZSCORE', key('gone'), objectId) or redis.call('SADD', key('coins'), objectId) == 0 then
    return false
  end
  placeNewCoin(coin)
  return true
end
