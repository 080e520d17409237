-- Ends jobs and takes the next one. Sets the marker that wakes workers only if another job waits after that;
-- BullMQ sets it for the next job with each one that is taken, so that workers wake without effect. Leaves a
-- paused or limited queue, and delayed jobs that are due, to BullMQ's own script. Writes none of BullMQ's
-- events, which no service reads.
--
-- KEYS     BullMQ's 'wait', 'active' (lists), 'prioritized', 'delayed' (sorted sets), 'stalled', 'marker',
--          'meta' and 'pc'
-- ARGV     the prefix of keys of jobs, the time in ms since 1970, the token for the lock of the next job (''
--          to take none) and the lock's duration in ms; then id and token of each job to end. One whose lock
--          has another token, or none, is left as it is: it is another worker's, or becomes so.
-- Returns  the job's fields and id, both '' if there is none; then -1 if another job waits, otherwise the
--          time at which the next delayed job is due, in ms since 1970, 0 if none is delayed. The fields are
--          -1 if BullMQ's own script decides.
local call = redis.call
local wait, active, prioritized, delayed, stalled, marker, meta, counter = unpack(KEYS)
local prefix, now, token, lock_ms = unpack(ARGV)
for index = 5, #ARGV, 2 do
  local id = ARGV[index]
  local job = prefix .. id
  local lock = job .. ':lock'
  if call('GET', lock) == ARGV[index + 1] then
    call('DEL', lock, job, job .. ':logs')
    call('SREM', stalled, id)
    call('LREM', active, -1, id)
  end
end
if token == '' then
  return { '', '', 0 }
end
-- The time is in the upper bits of the score.
local due = math.floor((call('ZRANGE', delayed, 0, 0, 'WITHSCORES')[2] or 0) / 0x1000)
local limits = call('HMGET', meta, 'paused', 'concurrency', 'max')
if (due > 0 and due <= tonumber(now)) or limits[1] or limits[2] or limits[3] then
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
