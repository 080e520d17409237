-- claimed -> executing, for each of several claims: the executor is about to sign. After that only the ledger's
-- outcome returns the coins.
--
-- KEYS[1]  prefix of the pool
-- ARGV     executor, then for each claim: reservation id, digest, fence
-- Returns  for each claim: false when it is gone, or the pool was rebuilt without it; {'failed', message}; otherwise
--          {state before, transaction (includes/payload.lua), budget, coins, message and epoch of the quarantine or
--          '', digest of the sponsor's own transaction that moves the coins or '', caller, name of the access rule,
--          age of the quarantine in ms, epoch in which all earlier submissions had ended without a known outcome or
--          '', 1 when it can never be executed}
--@include key
--@include now
--@include reservation
--@include in-flight
--@include classes
--@include is-whole
--@include rebuilt-without
--@include payload
--@include write-reservation
--@include read-refusal
--@include attempt
local CLAIM_FIELDS = 3
local clock = now()
local at = string.format('%.0f', clock)

-- The claim whose fields begin at ARGV[i].
local function begin(i)
  local id = ARGV[i]
  local state, fence, begun, reserved, claim, refusal = readReservation(id)
  if fence ~= ARGV[i + 2] or (state ~= 'claimed' and state ~= 'executing' and state ~= 'quarantined') then
    return false
  end
  local digest, lease, rule, waiters, holds, inputs, _, resumed = readClaim(claim)
  if digest ~= ARGV[i + 1] then
    return false
  end
  local caller, budget, _, _, count, sum, _, coins = readReserved(reserved)
  local member = inFlight(id, count, sum)
  if not redis.call('ZSCORE', key(state), member) then
    if isRebuiltWithout(false) then
      return false
    end
    -- A failed claim keeps its job, by which rebuild-pool.lua finds it.
    error('Reservation ' .. id .. ' is lost from the index of its state')
  end
  local payload = redis.call('GET', payloadKey(id))
  local unknownIn = string.match(resumed, ':(%d+)$') or ''
  local after = state
  if state == 'claimed' then
    after, begun = 'executing', at
    redis.call('ZREM', key('claimed'), member)
  else
    -- Two executors may be at work now: a refusal received by one of them proves nothing about the other's submission,
    -- and the epoch of an unknown outcome proves nothing about a later submission.
    resumed = '1'
  end
  writeReservation(id, after, fence, begun, reserved,
    table.concat({ digest, lease, rule, waiters, holds, inputs, ARGV[1], resumed }, '\t'), refusal)
  -- The score is renewed, so that the sweep skips a claim that an executor works on.
  redis.call('ZADD', key(after), at, member)
  local _, refusedFence, message, epoch, movedOnBy = readRefusal(refusal)
  local age = string.format('%.0f', math.max(0, clock - tonumber(lease)))
  local excluded = refusedFence == fence and 1 or 0
  return { state, payload, budget, coins, message, epoch, movedOnBy, caller, rule, age, unknownIn, excluded }
end

local replies = {}
for i = 2, #ARGV, CLAIM_FIELDS do
  replies[#replies + 1] = attempt(begin, i)
end
return replies
