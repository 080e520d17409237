-- maintenance -> gone: the ledger has executed a withdrawal's transaction. Its coins are no longer the
-- sponsor's, except the one that an amount was taken from, which returns to its place.
--
-- KEYS[1]  prefix of the pool
-- ARGV     operation id, gas charged, digest of the transaction, the sent amount (0: the coins themselves), a
--          list of the coins that are still the sponsor's (two each: objectId, coin)
-- Returns  1, or 0 when it was finished before
local operationId, gas, digest, amount = take(4)
local coins = leaveMaintenance(operationId, true)
if not coins then
  return 0
end
local remaining = takePairs()
renewCoins(coins, remaining, gas)
local count = 0
for balance, _, objectId in eachCoin(coins) do
  if not remaining[objectId] then
    count = count + 1
  end
  if amount == '0' then
    redis.call('HINCRBY', key('withdrawal'), 'balance', balance)
  end
end
if amount ~= '0' then
  redis.call('HINCRBY', key('withdrawal'), 'arrived', amount)
  redis.call('HINCRBY', key('withdrawal'), 'balance', amount)
  redis.call('HINCRBY', key('withdrawal'), 'balance', gas)
end
redis.call('HINCRBY', key('withdrawal'), 'coins', count)
redis.call('HINCRBY', key('withdrawal'), 'gas', gas)
redis.call('HSET', key('withdrawal'), 'digest', digest)
flushCoins()
return 1
