-- The changes after one of them, for somebody who follows them. Begins the stream if it has had no follower lately: its
-- first entry is no change, but a place to go on from. A place that the stream no longer holds, or lost with Redis's latest
-- writes, is a gap.
--
-- KEYS[1]  prefix of the pool
-- ARGV     how long changes are kept for a follower's next call in ms, the entry to go on from ('': none), the most entries,
--          1 to begin at the end if no entry is given
-- Returns  {1 after a gap or 0, the entries}; at the end of a stream, the entry to go on from
local keptMs, after, most, isFromEnd = unpack(ARGV)
local stream = key('changes')
if redis.call('EXISTS', key('followed'), stream) < 2 then
  redis.call('DEL', stream, key('changes-bytes'))
  redis.call('XADD', stream, '*', 'begun', '1')
end
redis.call('SET', key('followed'), '1', 'PX', keptMs)
-- Never gone before `followed`: the next change would be added to nothing.
redis.call('PEXPIRE', stream, decimal(2 * keptMs))
if after == '' and isFromEnd == '1' then
  return { 0, redis.call('XREVRANGE', stream, '+', '-', 'COUNT', 1) }
end
local found = after ~= '' and redis.call('XRANGE', stream, after, '+', 'COUNT', most + 1) or {}
if #found > 0 and found[1][1] == after then
  table.remove(found, 1)
  return { 0, found }
end
local isGap = after ~= '' or redis.call('XRANGE', stream, '-', '+', 'COUNT', 1)[1][2][1] ~= 'begun'
return { isGap and 1 or 0, redis.call('XRANGE', stream, '-', '+', 'COUNT', most) }
