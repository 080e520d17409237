-- Takes the lead of a pool, or renews it for the one who has it, and tells what its upkeep has to do. One script, since a
-- pool that rests is asked nothing else.
--
-- KEYS[1]  prefix of the pool
-- ARGV     owner, how long the lead lasts in ms, least age in ms of executions to be resumed, how long gone coins are
--          remembered in ms
-- Returns  nothing when another owner leads; otherwise
--          ms until the suspension may be ended (-1: not suspended), ms until the first deadline of a reservation
--          (0: past; -1: no reservation), then how many there are of: gone coins to forget, claims whose lease is over,
--          executions to be resumed, operations whose lease is over, input locks to be deleted; 1 when drained or 0, 1 when a
--          withdrawal is under way or 0; 1 when no coin is missing (includes/is-whole.lua) or 0; the counters as flat
--          pairs name, value
--@include key
--@include now
--@include read-counters
--@include classes
--@include is-whole
local lock = key('lock:leader')
local owner = redis.call('HGET', lock, 'owner')
if owner and owner ~= ARGV[1] then
  return {}
end
if not owner then
  redis.call('HSET', lock, 'owner', ARGV[1])
end
redis.call('PEXPIRE', lock, ARGV[2])

local at = now()

local function due(name, since)
  return redis.call('ZCOUNT', key(name), '-inf', string.format('%.0f', since))
end

local held = redis.call('GET', key('held'))
local first = redis.call('ZRANGE', key('reserved'), 0, 0, 'WITHSCORES')[2]
local resumedBefore = at - tonumber(ARGV[3])
return {
  held and math.max(0, tonumber(held) - at) or -1,
  first and math.max(0, tonumber(first) - at) or -1,
  due('gone', at - tonumber(ARGV[4])),
  due('claimed', at),
  due('executing', resumedBefore) + due('quarantined', resumedBefore),
  due('maintenance', at),
  redis.call('LLEN', key('unlocked')),
  redis.call('EXISTS', key('drain')),
  redis.call('HGET', key('withdrawal'), 'ended') == '' and 1 or 0,
  isWhole() and 1 or 0,
  readCounters(),
}
