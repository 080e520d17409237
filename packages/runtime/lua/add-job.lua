-- Adds a job in BullMQ's form, with its caller's turn as its priority: the turn after that of the caller's
-- claims before, but none earlier than the next waiting job's. A job takes a turn for each of its claims.
-- While no job waits, the last turn of all callers is the next one. Turns begin at 1 again when half of them
-- are used up and no job waits. Writes none of BullMQ's events, which no service reads.
--
-- KEYS     the hash of callers and their last turns; ':last', which is not a caller's name, is the last turn
--          of all. BullMQ's 'prioritized', 'pc' and 'marker'; the job
-- ARGV     the caller, the number of claims, the highest turn; the job's id, name, data, options (a JSON
--          object without a priority) and time
-- Returns  1 if the job is new, otherwise 0.
local call = redis.call
local turns, prioritized, counter, marker, job = unpack(KEYS)
local caller, claims, most, id, name, data, options, time = unpack(ARGV)
if call('EXISTS', job) == 1 then
  return 0
end
most = tonumber(most)
local first = call('ZRANGE', prioritized, 0, 0, 'WITHSCORES')[2]
local known = call('HMGET', turns, ':last', caller)
local last, own = tonumber(known[1] or 1), tonumber(known[2] or 0)
if not first and last > most / 2 then
  call('DEL', turns)
  last, own = 1, 0
end
-- The priority is in the upper bits of the score.
local next = first and math.floor(tonumber(first) / 0x100000000) or last
local turn = math.min(math.max(next, own + 1), most)
own = math.min(turn + claims - 1, most)
call('HSET', turns, caller, own, ':last', math.max(last, own))
options = '{"priority":' .. turn .. ',' .. string.sub(options, 2)
call('HSET', job, 'name', name, 'data', data, 'opts', options, 'timestamp', time, 'delay', 0, 'priority', turn)
call('ZADD', prioritized, turn * 0x100000000 + call('INCR', counter) % 0x100000000, id)
call('ZADD', marker, 0, '0')
return 1
