-- maintenance -> gone: the ledger has executed a withdrawal's transaction, so that its coins are no longer the sponsor's.
--
-- KEYS[1]  prefix of the pool
-- ARGV     operation id, gas charged, digest of the transaction
-- Returns  1, or 0 when it was finished before
--@include key
--@include now
--@include shift-totals
--@include place-coin
--@include forget-coins
--@include renew-coins
--@include leave-maintenance
local coins = leaveMaintenance(ARGV[1])
if not coins then
  return 0
end
renewCoins(coins, {}, ARGV[2], now)
local count = 0
for balance in string.gmatch(coins, '(%d+):[^,]+') do
  count = count + 1
  redis.call('HINCRBY', key('withdrawal'), 'balance', balance)
end
redis.call('HINCRBY', key('withdrawal'), 'coins', count)
redis.call('HINCRBY', key('withdrawal'), 'gas', ARGV[2])
redis.call('HSET', key('withdrawal'), 'digest', ARGV[3])
flushTotals()
return 1
