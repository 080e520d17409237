-- Gives each caller's next job its turn, which is the job's priority: that after the turn of the caller's job
-- before, but none earlier than the next waiting job's. While no job waits, the last turn of all callers is
-- the next one. Turns begin at 1 again when half of them are used up and no job waits.
--
-- KEYS[1]  hash of callers and their last turns; ':last', which is not a caller's name, is the last turn of
--          all
-- KEYS[2]  BullMQ's sorted set of waiting jobs, with the priority in the upper bits of the score
-- ARGV     the highest turn, then the callers
-- Returns  the turn of each.
local turns, most = KEYS[1], tonumber(ARGV[1])
local first = redis.call('ZRANGE', KEYS[2], 0, 0, 'WITHSCORES')[2]
local last = tonumber(redis.call('HGET', turns, ':last') or 1)
if not first and last > most / 2 then
  redis.call('DEL', turns)
  last = 1
end
local next = first and math.floor(tonumber(first) / 0x100000000) or last
local owns, taken, written = {}, {}, { 'HSET', turns }
for index = 2, #ARGV do
  local caller = ARGV[index]
  local own = owns[caller] or tonumber(redis.call('HGET', turns, caller) or 0)
  owns[caller] = math.min(math.max(next, own + 1), most)
  taken[#taken + 1] = owns[caller]
  last = math.max(last, owns[caller])
end
owns[':last'] = last
for caller, turn in pairs(owns) do
  written[#written + 1] = caller
  written[#written + 1] = string.format('%.0f', turn)
end
redis.call(unpack(written))
return taken
