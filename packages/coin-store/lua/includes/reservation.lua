-- A reservation is one text, so that a transition reads once and writes once: four lines of fields separated
-- by tabs.
--
--   state fence begun
--   caller budget deadline duration count sum counted coins
--   digest lease rule waiters holds inputs executor resumed
--   refusedDigest refusedFence refusal quarantineEpoch movedOnBy
--
-- `fence` counts the claims, abandoned ones included (abandon-claim.lua); `begun` is the time in ms at which
-- it was begun. The second line, the terms, is written once; `counted` is 1 where the caller has limits. The
-- third, the claim, exists once it is claimed; `lease` is its end in ms, in a quarantine the time since which
-- validators may hold the coins; `waiters` lists the gateways that wait for the outcome, `gateway|type`,
-- comma-separated; `holds` are its amounts in counters (includes/usage.lua). `resumed` is 1 once a second
-- executor has begun it, and 1:<epoch> once every submission has ended without a known outcome. The fourth,
-- the refusal, exists once it is refused; its fence is 0 until it is final: while the refused transaction may
-- still be executed, no caller receives it. An ended reservation has no count, sum, counted and coins, and
-- its claim is only the digest of the executed transaction. Callers of the scripts escape tabs and line ends
-- inside fields. This file alone knows the form.
local EIGHT = '^([^\t]*)\t([^\t]*)\t([^\t]*)\t([^\t]*)\t([^\t]*)\t([^\t]*)\t([^\t]*)\t(.*)$'
-- The message of a final refusal for which no node gave one: the release before reads an empty one as not
-- final.
local NO_MESSAGE = ' '
local FIVE = '^([^\t]*)\t([^\t]*)\t([^\t]*)\t([^\t]*)\t(.*)$'

-- Those that this call has read, by id, so that its transitions see what the ones before have changed.
local known = {}

-- A reservation from its text.
local function parseReservation(id, stored)
  local state, fence, begun = string.match(stored, '^(%l+)\t(%d+)\t(%d*)\n')
  -- A plain search is several times faster than a pattern over a long text.
  local first = string.find(stored, '\n', 1, true)
  local second = first and string.find(stored, '\n', first + 1, true)
  local third = second and string.find(stored, '\n', second + 1, true)
  if not state or not third then
    return nil
  end
  local terms = string.sub(stored, first + 1, second - 1)
  local claim, refusal = string.sub(stored, second + 1, third - 1), string.sub(stored, third + 1, -2)
  local caller, budget, deadline, duration, count, sum, counted, coins = string.match(terms, EIGHT)
  local reservation = {
    id = id, state = state, fence = fence, begun = begun, terms = terms, caller = caller, budget = budget,
    deadline = deadline, duration = duration, count = count, sum = sum, counted = counted, coins = coins,
    claim = nil, refusal = nil,
  }
  if claim ~= '' then
    local digest, lease, rule, waiters, holds, inputs, executor, resumed = string.match(claim, EIGHT)
    reservation.claim = { digest = digest or claim, lease = lease, rule = rule, waiters = waiters, holds = holds,
      inputs = inputs, executor = executor, resumed = resumed }
  end
  if refusal ~= '' then
    local digest, refusedFence, message, epoch, movedOnBy = string.match(refusal, FIVE)
    reservation.refusal = { digest = digest, fence = refusedFence,
      message = message == NO_MESSAGE and '' or message, epoch = epoch, movedOnBy = movedOnBy }
  end
  return reservation
end

-- A reservation with the named fields of its first two lines, `claim` and `refusal`; nil for an unknown id.
-- With further keys, `kept` is a list of their texts.
local function readReservation(id, ...)
  if not known[id] then
    local found, before = readWithSwitches(key('reservation:' .. id), ...)
    known[id] = parseReservation(id, found[before + 1] or '')
    if known[id] and ... then
      known[id].kept = { unpack(found, before + 2) }
    end
  end
  return known[id]
end

-- The caller of a reservation; nil for an unknown id. The first bytes are enough for all but the longest
-- names.
local function readCaller(id)
  local start = redis.call('GETRANGE', key('reservation:' .. id), 0, 255)
  local caller = string.match(start, '^%l+\t%d+\t%d*\n([^\t\n]*)\t')
  if not caller and start ~= '' then
    local reservation = readReservation(id)
    return reservation and reservation.caller
  end
  return caller
end

local function writeRefusal(refusal)
  if not refusal then
    return ''
  end
  local message = refusal.fence ~= '0' and refusal.message == '' and NO_MESSAGE or refusal.message
  return table.concat({ refusal.digest, refusal.fence, message, refusal.epoch, refusal.movedOnBy }, '\t')
end

local function formReservation(reservation)
  local claim = reservation.claim
  return reservation.state .. '\t' .. reservation.fence .. '\t' .. reservation.begun .. '\n' .. reservation.terms .. '\n' ..
    (claim and table.concat({ claim.digest, claim.lease, claim.rule, claim.waiters, claim.holds, claim.inputs,
      claim.executor, claim.resumed }, '\t') or '') .. '\n' .. writeRefusal(reservation.refusal) .. '\n'
end

-- Keys and texts of several, for MSET, after those in `texts`.
local function formReservations(reservations, texts)
  for _, reservation in ipairs(reservations) do
    texts[#texts + 1] = key('reservation:' .. reservation.id)
    texts[#texts + 1] = formReservation(reservation)
  end
  return unpack(texts)
end

local function writeReservation(reservation)
  redis.call('SET', key('reservation:' .. reservation.id), formReservation(reservation))
end

-- The text of a new reservation.
local function newReservation(caller, budget, deadline, duration, count, sum, counted, coins)
  return 'reserved\t0\t\n' .. caller .. '\t' .. budget .. '\t' .. deadline .. '\t' .. duration .. '\t' .. count .. '\t' ..
    sum .. '\t' .. counted .. '\t' .. coins .. '\n\n\n'
end

-- Ends a reservation once flushOutcomes is called: keeps the part that answers retries during the outcome
-- retention, and reports the end. `settled`: of an execution, what its entry tells besides
-- (includes/history.lua).
local function writeOutcome(reservation, state, digest, retentionMs, settled)
  requireDuration(retentionMs)
  local outcome = { id = reservation.id, retentionMs = retentionMs, hasPayload = reservation.claim ~= nil,
    text = state .. '\t' .. reservation.fence .. '\t\n' .. reservation.caller .. '\t' .. reservation.budget .. '\t' ..
      reservation.deadline .. '\t' .. reservation.duration .. '\t\t\t\t\n' .. digest .. '\n' ..
      writeRefusal(reservation.refusal) .. '\n' }
  if isInHistory(reservation) then
    describeEnd(reservation, state, settled or {}, outcome)
  end
  reservation.state = state
  outcomes[#outcomes + 1] = outcome
end

-- When a reservation was begun, in ms; nil: not yet. The first line is enough.
local function readBegun(id)
  return tonumber(string.match(redis.call('GETRANGE', key('reservation:' .. id), 0, 63), '^%l+\t%d+\t(%d+)\n'))
end

-- The states of a reservation that is bound to a transaction.
local IN_FLIGHT = { 'claimed', 'executing', 'quarantined' }

local function isInFlight(reservation)
  local state = reservation.state
  return state == 'claimed' or state == 'executing' or state == 'quarantined'
end

-- Each state in flight is a sorted set of id|count|sum: the sums are read rarely and added up then, so that a
-- transition has no totals to update.
local function memberOf(reservation)
  return reservation.id .. '|' .. reservation.count .. '|' .. reservation.sum
end

local function idOf(member)
  return string.match(member, '^%d+')
end

-- Iterates over the reservations of a state in flight, those with the lowest score first, or over a page of
-- them: id, number of coins and sum of each.
local function eachInFlight(state, first, last)
  local members = redis.call('ZRANGE', key(state), first or 0, last or -1)
  local index = 0
  return function()
    index = index + 1
    if members[index] then
      return string.match(members[index], '^(%d+)|(%d+)|(%d+)$')
    end
  end
end

-- Attaches a gateway that waits for the outcome.
local function attachWaiter(reservation, waiter)
  local waiters = reservation.claim.waiters
  if not string.find(',' .. waiters .. ',', ',' .. waiter .. ',', 1, true) then
    reservation.claim.waiters = waiters == '' and waiter or waiters .. ',' .. waiter
    writeReservation(reservation)
  end
end

-- The transaction of a reservation in flight is stored apart from it: it may be a thousand times as long, and
-- only beginning an execution needs it. Bytes, signature and the line of its claim (includes/history.lua) are
-- separated by tabs.
local function payloadKey(id)
  return key('payload:' .. id)
end

-- Names the reservation that a transaction was claimed for, for lookups by digest.
local function claimedByKey(digest)
  return key('claimed-by:' .. digest)
end
