-- Records which Redis server holds the pool. When the server has restarted and may have lost its last writes, or has lost
-- the whole pool, suspends the pool for a while: coins may be signed for transactions that Redis no longer knows.
--
-- KEYS[1]  prefix of the pool
-- ARGV     the server's run id, whether it may have lost writes (1 or 0), whether the pool is known to have existed, the
--          length of a suspension in ms
-- Returns  ms left of the suspension, at least 1 until it is ended; 0 when the pool is not suspended
--@include key
--@include now
local seen = redis.call('GET', key('server'))
if seen ~= ARGV[1] then
  redis.call('SET', key('server'), ARGV[1])
  if (seen and ARGV[2] == '1') or (not seen and ARGV[3] == '1') then
    redis.call('SET', key('held'), string.format('%.0f', now() + tonumber(ARGV[4])))
  end
end
local held = redis.call('GET', key('held'))
if not held then
  return 0
end
return math.max(1, tonumber(held) - now())
