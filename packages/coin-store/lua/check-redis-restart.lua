-- Compares a coin-pool's memory with this Redis, and suspends the pool when Redis may be behind: coins may be
-- signed for transactions that Redis does not know. That is possible when another server answers than before,
-- until every coin-pool that was running lately, a witness, has found its own claims here; and whenever a
-- witness does not find them. What a withdrawal has sent is then not certain, so that it ends
-- (includes/withdrawal.lua).
--
-- KEYS[1]  prefix of the pool
-- ARGV     the server's run id, whether it may have lost writes (1 or 0), the length of a suspension in ms,
--          the calling witness, the watermark it remembers ('': none), the other witnesses that it knows of
--          (id,…), what the server got its data from when it was last promoted ('': it never was, or no
--          longer knows), the latest loss that the witness remembers (0: none)
-- Returns  ms until the next call, at least 1 until the suspension is ended; 0 when the pool is not suspended
--          the watermark
--          the other witnesses (id,…)
--          the latest loss (includes/withdrawal.lua), 0: none
-- A coin-pool calls once a second; one that is this late has died, and those that were running later remember
-- its claims.
local LATELY_MS = 2500
-- Every running coin-pool has called within this time.
local CONFIRM_MS = 2000
-- Coins that Redis has lost appear soon after.
local LOST_KEPT_MS = 3600000
-- Awaited instead of a witness: no witness remembers the lost writes.
local NOBODY = '*'

local nowMs = now()
local runId, mayForget, holdMs, ownName, watermarkText, known, promotedFrom, knownLoss = unpack(ARGV)
local remembered = tonumber(watermarkText)

local function await(witness)
  redis.call('SADD', key('awaited'), witness)
end

local function suspend()
  noteLoss(knownLoss)
  -- Entries may have been lost with their numbers.
  redis.call('DEL', key('history-number'))
  -- The last coin-pool that was seen was here before the writes that are lost.
  local last = redis.call('ZRANGE', key('witnesses'), -1, -1, 'WITHSCORES')[2]
  if last and redis.call('EXISTS', key('lost-since')) == 0 then
    redis.call('SET', key('lost-since'), last, 'PX', decimal(LOST_KEPT_MS))
  end
  local held = tonumber(redis.call('GET', key('held')) or '0')
  redis.call('SET', key('held'), decimal(math.max(held, nowMs + tonumber(holdMs))))
end

-- The coin-pools that were running at the last call of any of them.
local function listWitnesses()
  local newest = redis.call('ZRANGE', key('witnesses'), -1, -1, 'WITHSCORES')[2]
  return newest and redis.call('ZRANGEBYSCORE', key('witnesses'), newest - LATELY_MS, '+inf') or {}
end

-- A server that was a replica in between has another one's data, with its old run id.
local function isPromoted()
  local before = redis.call('GET', key('promoted-from'))
  if promotedFrom == before or (before and promotedFrom == '') then
    return false
  end
  redis.call('SET', key('promoted-from'), promotedFrom)
  return before
end

local seen = redis.call('GET', key('server'))
local hasChanged = seen ~= runId
if isPromoted() or hasChanged then
  redis.call('SET', key('server'), runId)
  redis.call('SET', key('restarted'), decimal(nowMs))
  if seen or remembered then
    suspend()
    local witnesses = listWitnesses()
    for _, witness in ipairs(witnesses) do
      await(witness)
    end
    if mayForget == '1' or (#witnesses == 0 and not remembered) then
      await(NOBODY)
    elseif remembered then
      await(ownName)
    end
  end
end

local isAwaiting = redis.call('EXISTS', key('awaited')) == 1
if isAwaiting and remembered then
  local restarted = tonumber(redis.call('GET', key('restarted')) or '0')
  for witness in string.gmatch(known, '[^,]+') do
    local last = tonumber(redis.call('ZSCORE', key('witnesses'), witness) or '0')
    if last < restarted then
      await(witness)
    end
  end
end

local watermark = tonumber(redis.call('GET', key('watermark')) or '0')
local isBehind = tonumber(knownLoss) > tonumber(currentLoss())
if isBehind or (remembered and remembered > watermark) then
  suspend()
  await(NOBODY)
  watermark = math.max(watermark, remembered or 0)
  redis.call('SET', key('watermark'), decimal(watermark))
elseif isAwaiting and remembered then
  redis.call('SREM', key('awaited'), ownName)
  if redis.call('EXISTS', key('awaited')) == 0 then
    redis.call('DEL', key('held'))
  end
end

if redis.call('EXISTS', key('held')) == 0 then
  redis.call('HDEL', key('loss'), 'suspended')
elseif readOrder().isUnderWay or not redis.call('HGET', key('loss'), 'suspended') then
  noteLoss()
end

redis.call('ZADD', key('witnesses'), nowMs, ownName)
redis.call('ZREMRANGEBYSCORE', key('witnesses'), '-inf', nowMs - 2 * LATELY_MS)
local others = {}
for _, witness in ipairs(listWitnesses()) do
  if witness ~= ownName then
    others[#others + 1] = witness
  end
end

local function askAgainIn()
  local held = redis.call('GET', key('held'))
  if not held then
    return 0
  end
  local left = math.max(1, tonumber(held) - nowMs)
  local isCounting = redis.call('EXISTS', key('awaited')) == 1 and redis.call('SISMEMBER', key('awaited'), NOBODY) == 0
  local restarted = tonumber(redis.call('GET', key('restarted')) or '0')
  return isCounting and nowMs - restarted < LATELY_MS and math.min(left, CONFIRM_MS) or left
end
return { askAgainIn(), watermark, table.concat(others, ','), currentLoss() }
