-- Every split, consolidation and withdrawal in progress.
--
-- KEYS[1]  prefix of the pool
-- Returns  for each operation {id, 1 when its lease is over or 0, its hash as flat pairs of field and value}
local nowMs = now()
local listed = {}
local operations = redis.call('ZRANGE', key('maintenance'), 0, -1, 'WITHSCORES')
for index = 1, #operations, 2 do
  local id, leaseEnd = operations[index], tonumber(operations[index + 1])
  listed[#listed + 1] = { id, leaseEnd <= nowMs and 1 or 0, redis.call('HGETALL', key('operation:' .. id)) }
end
return listed
