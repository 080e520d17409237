-- Reads whether a sponsor is drained, and its latest withdrawal.
--
-- KEYS[1]  prefix of the pool
-- Returns  {the drain or '', the withdrawal as flat pairs of field and value}
return { redis.call('GET', key('drain')) or '', redis.call('HGETALL', key('withdrawal')) }
