-- Takes the lead of a pool, or renews it for its owner, and tells what its upkeep has to do. One script,
-- since a pool at rest needs no other.
--
-- KEYS[1]  prefix of the pool
-- ARGV     owner, how long the lead lasts in ms, least age in ms of executions to be resumed, how long gone
--          coins are remembered in ms
-- Returns  nothing when another owner leads; otherwise {flat pairs of field and number; the counters: flat
--          pairs name, value}. Fields: suspendedMs (until the suspension may be ended; -1: not suspended),
--          expiryMs (until the first deadline of a reservation; 0: past; -1: no reservation), goneCoins to
--          forget, overdueClaims, overdueExecutions and overdueMaintenance (numbers), endedLocks (input locks
--          to be deleted), and 1 or 0: isDrained, isWithdrawing, isWhole (includes/whole.lua)
local caller, leaseMs, requeueAfterMs, goneMs = unpack(ARGV)
local lock = key('lock:leader')
local owner = redis.call('HGET', lock, 'owner')
if owner and owner ~= caller then
  return {}
end
if not owner then
  redis.call('HSET', lock, 'owner', caller)
end
redis.call('PEXPIRE', lock, leaseMs)

local nowMs = now()

local function countDue(name, since)
  return redis.call('ZCOUNT', key(name), '-inf', decimal(since))
end

local held = redis.call('GET', key('held'))
local first = redis.call('ZRANGE', key('reserved'), 0, 0, 'WITHSCORES')[2]
local begunBefore = nowMs - tonumber(requeueAfterMs)
local due = {
  'suspendedMs', held and math.max(0, tonumber(held) - nowMs) or -1,
  'expiryMs', first and math.max(0, tonumber(first) - nowMs) or -1,
  'goneCoins', countDue('gone', nowMs - tonumber(goneMs)),
  'overdueClaims', countDue('claimed', nowMs),
  'overdueExecutions', countDue('executing', begunBefore) + countDue('quarantined', begunBefore),
  'overdueMaintenance', countDue('maintenance', nowMs),
  'endedLocks', redis.call('LLEN', key('unlocked')),
  'isDrained', redis.call('EXISTS', key('drain')),
  'isWithdrawing', redis.call('HGET', key('withdrawal'), 'ended') == '' and 1 or 0,
  'isWhole', isWhole() and 1 or 0,
}
return { due, readCounters() }
