-- The commands that reservations of one coin each need, and nothing else: no request is read, nothing is decided, no
-- limit is looked at. What the coin store's script takes beyond it is its own.
--
-- KEYS[1]  prefix
-- ARGV     how many reservations, their deadline in ms
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
