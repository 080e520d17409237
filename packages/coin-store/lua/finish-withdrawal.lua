-- maintenance -> gone: the ledger has executed a withdrawal's transaction, so that its coins are no longer the sponsor's.
--
-- KEYS[1]  prefix of the pool
-- ARGV     operation id, gas charged, digest of the transaction
-- Returns  1, or 0 when it was finished before
local operationId, gas, digest = unpack(ARGV)
local coins = leaveMaintenance(operationId)
if not coins then
  return 0
end
renewCoins(coins, {}, gas)
local count = 0
for balance in eachCoin(coins) do
  count = count + 1
  redis.call('HINCRBY', key('withdrawal'), 'balance', balance)
end
redis.call('HINCRBY', key('withdrawal'), 'coins', count)
redis.call('HINCRBY', key('withdrawal'), 'gas', gas)
redis.call('HSET', key('withdrawal'), 'digest', digest)
flushTotals()
return 1
