-- Gives a caller's next job its turn, which is the job's priority: that after the turn of the caller's job before, but
-- none earlier than the next waiting job's. While no job waits, the last turn of all callers is the next one. Turns begin
-- at 1 again when half of them are used up and no job waits.
--
-- KEYS[1]  hash of callers and their last turns; ':last', which is no caller's name, is the last turn of all
-- KEYS[2]  BullMQ's sorted set of waiting jobs, with the priority in the upper bits of the score
-- ARGV     the caller, the highest turn
-- Returns the turn.
local turns, caller, most = KEYS[1], ARGV[1], tonumber(ARGV[2])
local first = redis.call('ZRANGE', KEYS[2], 0, 0, 'WITHSCORES')[2]
local last = tonumber(redis.call('HGET', turns, ':last') or 1)
if not first and last > most / 2 then
  redis.call('DEL', turns)
  last = 1
end
local next = first and math.floor(tonumber(first) / 0x100000000) or last
local own = tonumber(redis.call('HGET', turns, caller) or 0)
local turn = math.min(math.max(next, own + 1), most)
redis.call('HSET', turns, ':last', string.format('%.0f', math.max(last, turn)), caller, string.format('%.0f', turn))
return turn
