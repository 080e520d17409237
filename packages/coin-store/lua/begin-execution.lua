-- claimed -> executing, for each of several claims: the executor is about to sign. After that only the
-- ledger's outcome returns the coins.
--
-- KEYS[1]  prefix of the pool
-- ARGV     executor, then for each claim: reservation id, digest, fence
-- Returns  for each claim: {'gone'} when it has changed, or the pool was rebuilt without it; {'failed',
--          message}; otherwise {'begun', state before (`executing` also where it may have been begun on
--          another server, see includes/lost-begins.lua), transaction (`payload` of
--          includes/reservation.lua), budget, coins, caller, name of the access rule, epoch in which all
--          earlier submissions had ended without a known outcome or ''} and, for one in quarantine: message,
--          epoch, digest of the sponsor's own transaction that moves the coins or '', age of the quarantine
--          in ms, 1 when the transaction can never be executed or 0
local executor = take(1)
local nowMs = now()
-- The begun claims' changes, which the script writes at once for all: reservations, and members and scores of
-- the indexes that they leave, enter or stay in.
local changed, left, leftScores, entered, stayed = {}, {}, {}, {}, {}

-- Everything that can fail comes before the first change of a reservation.
local function begin(id, digest, fence)
  local reservation = readReservation(id)
  if not reservation or reservation.fence ~= fence or not isInFlight(reservation) or
    reservation.claim.digest ~= digest then
    return { 'gone' }
  end
  local state, claim, refusal = reservation.state, reservation.claim, reservation.refusal
  local member = memberOf(reservation)
  local score = reservation.isBegun or redis.call('ZSCORE', key(state), member)
  if not score then
    if isRebuiltWithout(false) then
      return { 'gone' }
    end
    -- A failed claim keeps its job, by which rebuild-pool.lua finds it.
    error('Reservation ' .. id .. ' is lost from the index of its state')
  end
  local payload = redis.call('GET', payloadKey(id))
  local unknownIn = string.match(claim.resumed, ':(%d+)$') or ''
  if state == 'claimed' then
    local isAgain = mayHaveBegun(payload)
    reservation.state, reservation.begun = 'executing', decimal(nowMs)
    left[#left + 1] = member
    leftScores[#leftScores + 1] = score
    leftScores[#leftScores + 1] = member
    entered[#entered + 1] = reservation.begun
    entered[#entered + 1] = member
    if isAgain then
      state, claim.resumed = 'executing', '1'
    end
  else
    if state == 'executing' and claim.resumed == '' and claim.executor ~= executor then
      -- Its first executor may have died before it noted its submission (includes/history.lua).
      appendTrail(reservation, writeLine(decimal(nowMs), 'resumed'))
    end
    -- Two executors may be at work now: a refusal received by one of them proves nothing about the other's
    -- submission, and the epoch of an unknown outcome proves nothing about a later submission.
    claim.resumed = '1'
    if not reservation.isBegun then
      -- The score is renewed, so that the sweep skips a claim that an executor works on.
      stayed[state] = stayed[state] or {}
      stayed[state][#stayed[state] + 1] = decimal(nowMs)
      stayed[state][#stayed[state] + 1] = member
    end
  end
  claim.executor = executor
  changed[#changed + 1] = reservation
  reservation.isBegun = true
  local reply = { 'begun', state, payload, reservation.budget, reservation.coins, reservation.caller, claim.rule, unknownIn }
  if state == 'quarantined' then
    reply[9], reply[10], reply[11] = refusal.message, refusal.epoch, refusal.movedOnBy
    reply[12] = decimal(math.max(0, nowMs - tonumber(claim.lease)))
    reply[13] = refusal.fence == fence and 1 or 0
  end
  return reply
end

local replies = {}
while hasMore() do
  replies[#replies + 1] = attempt(begin, take(3))
end
if #left > 0 then
  -- Removing comes first, so that Redis lets it go on where only memory is missing.
  callRedis('ZREM', key('claimed'), unpack(left))
  noteUndo({ 'ZADD', key('claimed'), unpack(leftScores) })
  callRedis('ZADD', key('executing'), unpack(entered))
end
for state, scored in pairs(stayed) do
  callRedis('ZADD', key(state), unpack(scored))
end
if #changed > 0 then
  callRedis('MSET', formReservations(changed, {}))
end
return replies
