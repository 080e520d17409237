-- Notes which Redis server holds the pool. A server that may have forgotten the last it was told, or that knows nothing
-- of a pool that was there, holds all coins back for a while: they may be signed for transactions that it has forgotten.
--
-- KEYS[1]  prefix of the pool
-- ARGV     the server's run id, whether it may have forgotten (1 or 0), whether the pool was known to be there, for how
--          long coins are held back, in ms
-- Returns  ms for which coins are held back yet, at least 1 until the hold is ended; 0 when they are not
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
