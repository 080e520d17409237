-- Ends jobs, adds one, and takes the next one, in BullMQ's form; each is optional. Sets the marker that wakes
-- workers only if a job waits after that; BullMQ sets it for the next job with each one that is taken, so
-- that workers wake without effect. Leaves a paused or limited queue, and delayed jobs that are due, to
-- BullMQ's own script. Writes none of BullMQ's events, which no service reads.
--
-- A new job's priority is its caller's turn: the turn after that of the caller's claims before, but none
-- earlier than the next waiting job's. A job takes a turn for each of its claims. While no job waits, the
-- last turn of all callers is the next one. Turns begin at 1 again when half of them are used up and no job
-- waits.
--
-- KEYS     BullMQ's 'wait', 'active' (lists), 'prioritized', 'delayed' (sorted sets), 'stalled', 'marker',
--          'meta' and 'pc'; the hash of callers and their last turns, in which ':last', which is not a
--          caller's name, is the last turn of all
-- ARGV     the prefix of keys of jobs; the time in ms since 1970; the token for the lock of the next job (''
--          to take none), the lock's duration in ms; the new job's id ('' to add none), name, data, options
--          (a JSON object without a priority) and time, its caller, the number of its claims, the highest
--          turn; then id and token of each job to end. One whose lock has another token, or none, is left as
--          it is: it is another worker's, or becomes so.
-- Returns  the fields and id of the taken job, both '' if there is none; then -1 if another job waits,
--          otherwise the time at which the next delayed job is due, in ms since 1970, 0 if none is delayed.
--          The fields are -1 if BullMQ's own script decides.
local call = redis.call
local wait, active, prioritized, delayed, stalled, marker, meta, counter, turns = unpack(KEYS)
local prefix, now, token, lock_ms, new = unpack(ARGV)

for index = 13, #ARGV, 2 do
  local id = ARGV[index]
  local job = prefix .. id
  local lock = job .. ':lock'
  if call('GET', lock) == ARGV[index + 1] then
    call('DEL', lock, job, job .. ':logs')
    call('SREM', stalled, id)
    call('LREM', active, -1, id)
  end
end

if new ~= '' and call('EXISTS', prefix .. new) == 0 then
  local name, data, options, time, caller, claims = unpack(ARGV, 6, 11)
  local most = tonumber(ARGV[12])
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
  call('HSET', prefix .. new, 'name', name, 'data', data, 'opts', options, 'timestamp', time, 'delay', 0,
    'priority', turn)
  call('ZADD', prioritized, turn * 0x100000000 + call('INCR', counter) % 0x100000000, new)
  if token == '' then
    call('ZADD', marker, 0, '0')
  end
end

if token == '' then
  return { '', '', 0 }
end
-- The time is in the upper bits of the score.
local due = math.floor((call('ZRANGE', delayed, 0, 0, 'WITHSCORES')[2] or 0) / 0x1000)
local limits = call('HMGET', meta, 'paused', 'concurrency', 'max')
if (due > 0 and due <= tonumber(now)) or limits[1] or limits[2] or limits[3] then
  if new ~= '' then
    call('ZADD', marker, 0, '0')
  end
  return { -1, '', 0 }
end
local id = call('RPOPLPUSH', wait, active)
if not id then
  id = call('ZPOPMIN', prioritized)[1]
  if not id then
    call('DEL', counter)
    return { '', '', due }
  end
  call('LPUSH', active, id)
end
local job = prefix .. id
call('SET', job .. ':lock', token, 'PX', lock_ms)
call('HINCRBY', job, 'ats', 1)
call('HSET', job, 'processedOn', now)
if call('ZCARD', prioritized) > 0 or call('LLEN', wait) > 0 then
  call('ZADD', marker, 0, '0')
  due = -1
else
  call('ZREM', marker, '0')
end
return { call('HGETALL', job), id, due }
