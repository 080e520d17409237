-- The Redis commands that reservations of one coin each need, and no others: no request is parsed, no
-- decision is made and no limit is checked. The rest of the coin store's script is its own cost.
--
-- KEYS[1]  prefix
-- ARGV     number of reservations, their deadline in ms
local count, deadline = tonumber(ARGV[1]), ARGV[2]
local function key(name)
  return KEYS[1] .. name
end
redis.call('TIME')
local last = redis.call('MGET', key('sequence'), key('classes'), key('drain'))[1] or 0
local coins = redis.call('LPOP', key('coins'), count)
local reservations, deadlines, replies = { 'MSET' }, { 'ZADD', key('reserved') }, {}
for place = 1, count do
  last = string.format('%.0f', last + 1)
  reservations[#reservations + 1] = key('reservation:' .. last)
  reservations[#reservations + 1] = 'reserved\t' .. coins[place] .. '\n'
  deadlines[#deadlines + 1] = deadline
  deadlines[#deadlines + 1] = last
  replies[place] = { last, deadline, coins[place] }
end
reservations[#reservations + 1] = key('sequence')
reservations[#reservations + 1] = last
redis.call(unpack(reservations))
redis.call(unpack(deadlines))
redis.call('HINCRBY', key('totals'), 'reserved', count)
return replies
