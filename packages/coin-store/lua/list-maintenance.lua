-- Every split, consolidation and withdrawal in progress.
--
-- KEYS[1]  prefix of the pool
-- Returns  per operation {id, kind, coins, digest or '', bytes or '', 1 when its lease is over, amount or '0'}
--@include key
--@include now
local at = now()
local listed = {}
local operations = redis.call('ZRANGE', key('maintenance'), 0, -1, 'WITHSCORES')
for i = 1, #operations, 2 do
  local id = operations[i]
  local found = redis.call('HMGET', key('operation:' .. id), 'kind', 'coins', 'digest', 'bytes', 'amount')
  local leaseOver = tonumber(operations[i + 1]) <= at and 1 or 0
  listed[#listed + 1] = { id, found[1], found[2], found[3] or '', found[4] or '', leaseOver, found[5] or '0' }
end
return listed
