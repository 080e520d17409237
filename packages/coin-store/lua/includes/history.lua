-- History. While `history-backlog` exists, each reservation that ends adds one entry to the stream `history`:
-- the fields of EndedSponsorship (packages/contracts). The service of history deletes it once it is in the
-- database (acknowledge-history.lua).
--
-- Steps before the end are kept for the entry. A claim's line is part of its payload, so that a transaction
-- that executes at once needs nothing more. Further lines are appended to `trail:<id>`. After a refusal the
-- payload holds only the transaction's bytes, until the reservation ends or is claimed again.

-- An entry counts once in `history-backlog` for each of so many bytes: the bound limits the memory of Redis
-- too.
local COUNTED_BYTES = 2048
-- Far longer than a reservation or an epoch lasts.
local KEPT_MS = 604800000
-- Claims are noted beyond this length too: the entry names the last one.
local LONGEST_TRAIL = 16384
local LONGEST_REASON = 1000
local KEPT_QUARANTINES = '1000'
local function trailKey(id)
  return key('trail:' .. id)
end

-- One line of a trail.
local function writeLine(...)
  return table.concat({ ... }, '\t') .. '\n'
end

-- The line of a claim, without its end. `request`: the request's id and traceparent, separated by a tab;
-- `facts`: of the access decision, '' if the gateway gives none.
local function describeClaim(time, digest, request, rule, facts)
  return table.concat({ decimal(time), 'claimed', digest, request, rule, facts ~= '' and facts or nil }, '\t')
end

-- The lines of submissions. `ages`: how long ago each was made, in ms.
local function describeSubmissions(ages, time)
  local lines = {}
  for index, age in ipairs(ages) do
    lines[index] = writeLine(decimal(time - age), 'submitted')
  end
  return table.concat(lines)
end

-- A message of the ledger, cut between two characters and outside escape sequences.
local function shortReason(message)
  if #message <= LONGEST_REASON then
    return message
  end
  return (string.gsub(string.sub(message, 1, LONGEST_REASON), '[\128-\255]*\\*$', ''))
end

-- The line of a refusal.
local function describeRefusal(time, refusal)
  return writeLine(decimal(time), 'refused', refusal.digest, shortReason(refusal.message))
end

-- Keeps lines for the entry of a reservation that is not over. `claimed`: the line of a claim, which is kept
-- in any case.
local function appendTrail(reservation, lines, claimed)
  if not isInHistory(reservation) then
    return
  end
  local trail = trailKey(reservation.id)
  local kept = redis.call('STRLEN', trail) < LONGEST_TRAIL and lines or ''
  if claimed then
    kept = claimed .. kept
  end
  if kept ~= '' then
    redis.call('APPEND', trail, kept)
    redis.call('PEXPIRE', trail, decimal(KEPT_MS))
  end
end

-- The parts of a payload: the transaction's bytes, and the line of its claim unless that is in the trail
-- already.
local function readPayload(payload)
  local first = string.find(payload, '\t', 1, true)
  local second = first and string.find(payload, '\t', first + 1, true)
  return first and string.sub(payload, 1, first - 1) or payload, second and string.sub(payload, second + 1) .. '\n' or ''
end

-- The line of the present claim's beginning.
local function describeBegin(reservation)
  return reservation.begun ~= '' and writeLine(reservation.begun, 'begun') or ''
end

-- Ends a claim whose reservation goes on: only history still needs its transaction.
local function keepClaim(reservation, lines)
  local id = reservation.id
  local payload = isInHistory(reservation) and redis.call('GET', payloadKey(id))
  if not payload then
    redis.call('DEL', payloadKey(id))
    return
  end
  local bytes, claimed = readPayload(payload)
  redis.call('SET', payloadKey(id), bytes, 'PX', decimal(KEPT_MS))
  appendTrail(reservation, describeBegin(reservation) .. lines, claimed)
end

-- The facts about a sponsorship, as flat pairs. `ending`: of one that has ended, `state`, `at` in ms, and of
-- a settled one `lines`, `result` and `counted`; `digest` where the claim is lost.
local function describeSponsorship(reservation, payload, trail, ending)
  local bytes, claimed = readPayload(payload or '')
  local claim = reservation.claim or { rule = '', executor = '' }
  local lines = (trail or '') .. claimed .. describeBegin(reservation) .. (ending.lines or '')
  -- A claim that was given up is in the trail only.
  local digest = ending.digest or claim.digest or string.match(lines, '.*\tclaimed\t([^\t\n]*)') or ''
  return {
    'v', '1', 'id', reservation.id, 'state', ending.state or reservation.state,
    'ended', ending.at and decimal(ending.at) or '', 'caller', reservation.caller, 'budget', reservation.budget,
    'sum', reservation.sum, 'coins', reservation.coins, 'digest', digest, 'transaction', bytes, 'rule', claim.rule,
    'executor', claim.executor, 'result', ending.result or '', 'counted', ending.counted or '', 'trail', lines,
  }, digest, #bytes + #reservation.coins + #lines + #(ending.result or '')
end

-- Adds a quarantine to the stream from which webhooks are notified. The reservation goes on.
local function addQuarantineNews(reservation)
  if not isInHistory(reservation) then
    return
  end
  local kept = redis.call('MGET', payloadKey(reservation.id), trailKey(reservation.id))
  local fields = describeSponsorship(reservation, kept[1], kept[2], {})
  redis.call('XADD', key('quarantine-news'), 'MAXLEN', '~', KEPT_QUARANTINES, '*', unpack(fields))
end

-- Of reservations that end in this call, what flushOutcomes writes.
local outcomes = {}

-- Adds the history entry of a reservation that ends to its outcome. `ending.rebuilt`: further fields of one
-- that was found on the ledger (includes/found-transactions.lua).
local function describeEnd(reservation, state, ending, outcome)
  local id = reservation.id
  local kept = reservation.kept or redis.call('MGET', payloadKey(id), trailKey(id))
  ending.state, ending.at = state, ending.at or now()
  outcome.fields, outcome.digest, outcome.bytes = describeSponsorship(reservation, kept[1], kept[2], ending)
  outcome.hasPayload, outcome.hasTrail, outcome.rebuilt = kept[1], kept[2], ending.rebuilt
end

-- The numbers of entries, `era-number`: from them the service of history learns that entries are missing. An
-- era begins, with the time in ms, where the last number is lost or may be.
local function numberEntries()
  local era, number = string.match(switches.number or '', '^(%d+)%-(%d+)$')
  era, number = (era or decimal(now())) .. '-', tonumber(number or 0)
  return function()
    number = number + 1
    return era .. decimal(number)
  end
end

-- Adds the entries of reservations that have ended. Beyond the bound they are dropped and counted.
local function addEntries(ended)
  local stream = key('history')
  local room = switches.backlog - switches.weight - redis.call('XLEN', stream)
  local nextNumber, number, dropped = numberEntries(), nil, 0
  local scored, members, digests = {}, {}, {}
  for _, outcome in ipairs(ended) do
    if room <= 0 then
      dropped = dropped + 1
    else
      local fields = outcome.fields
      number = nextNumber()
      fields[#fields + 1] = 'n'
      fields[#fields + 1] = number
      local entry = redis.call('XADD', stream, '*', unpack(fields))
      -- How often it counts beyond once.
      local weight = math.floor(outcome.bytes / COUNTED_BYTES)
      if weight > 0 then
        redis.call('HSET', key('history-weights'), entry, decimal(weight))
        redis.call('INCRBY', key('history-weight'), decimal(weight))
      end
      room = room - 1 - weight
      members[#members + 1] = outcome.id .. '|' .. entry
      scored[#scored + 1] = outcome.id
      scored[#scored + 1] = members[#members]
      if outcome.digest ~= '' then
        digests[#digests + 1] = outcome.digest
        digests[#digests + 1] = outcome.id
      end
    end
  end
  if number then
    callRedis('ZADD', key('history-index'), unpack(scored))
    noteUndo({ 'ZREM', key('history-index'), unpack(members) })
    if #digests > 0 then
      callRedis('HSET', key('history-digests'), unpack(digests))
    end
    callRedis('SET', key('history-number'), number)
  end
  return dropped
end

-- Writes the outcomes of all reservations that end in this call, after all other writes that may fail.
-- Sponsoring goes on whatever the keys of history hold.
local function flushOutcomes()
  local ended, spent = {}, {}
  for _, outcome in ipairs(outcomes) do
    if outcome.rebuilt then
      for _, field in ipairs(outcome.rebuilt) do
        outcome.fields[#outcome.fields + 1] = field
      end
      addRebuilt(outcome.fields)
    elseif outcome.fields then
      ended[#ended + 1] = outcome
    end
    if outcome.hasPayload then
      spent[#spent + 1] = payloadKey(outcome.id)
    end
    if outcome.hasTrail then
      spent[#spent + 1] = trailKey(outcome.id)
    end
  end
  if #ended > 0 then
    local dropped = attempt(addEntries, ended)
    dropped = type(dropped) == 'number' and dropped or #ended
    if dropped > 0 then
      redis.pcall('INCRBY', key('history-dropped'), dropped)
    end
  end
  for _, outcome in ipairs(outcomes) do
    callRedis('SET', key('reservation:' .. outcome.id), outcome.text, 'PX', outcome.retentionMs)
  end
  if #spent > 0 then
    callRedis('DEL', unpack(spent))
  end
end
