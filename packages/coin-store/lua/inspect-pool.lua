-- A pool at one instant, for people: its counters, what it has spent, who leads it, and the transactions in flight that no
-- executor has taken up for longest. Takes one step for each transaction in flight, and reads only those that are listed.
--
-- KEYS[1]  prefix of the pool
-- ARGV     the most transactions to list of each state, then the lengths of the periods of spending, in ms
-- Returns  {ms since 1970; counters: flat pairs name, value; states: flat pairs state, how many; notes of spending: for
--          each period when (ms since 1970), the gas paid until then and how many coins there were, '' where there is none; leader or '';
--          ms that a suspension still lasts, -1 where there is none; transactions: eleven each: state, reservation id,
--          caller, when it was reserved and begun ('': not yet) in ms, digest, executor, coins, the ledger's message,
--          epoch of the quarantine, digest of the sponsor's own transaction; the drain or ''}
--@include key
--@include now
--@include read-counters
--@include reservation
--@include read-refusal
local LONGEST_MESSAGE = 1000
local at = now()

-- The last note from before the period began, or the first one there is.
local function findNote(periodMs)
  local spending = key('spending')
  local note = redis.call('ZREVRANGEBYSCORE', spending, at - periodMs, '-inf', 'LIMIT', 0, 1)[1]
    or redis.call('ZRANGE', spending, 0, 0)[1]
  -- Notes of earlier releases have no number of coins.
  return string.match(note or '', '^(%d+)|(-?%d+)|?(%d*)$')
end

local notes = {}
for i = 2, #ARGV do
  local noted, charged, coins = findNote(tonumber(ARGV[i]))
  notes[#notes + 1] = noted or ''
  notes[#notes + 1] = charged or ''
  notes[#notes + 1] = coins or ''
end

local most, states, listed = tonumber(ARGV[1]), {}, {}
local function list(state)
  for _, member in ipairs(redis.call('ZRANGE', key(state), 0, most - 1)) do
    local id = string.match(member, '^%d+')
    local _, _, begun, reserved, claim, refusal = readReservation(id)
    if begun then
      local caller, _, deadline, duration, count = readReserved(reserved)
      local digest, _, _, _, _, _, executor = readClaim(claim)
      local _, _, message, epoch, movedOnBy = readRefusal(refusal)
      for _, field in ipairs({ state, id, caller, string.format('%.0f', deadline - duration), begun, digest or '',
        executor or '', count, string.sub(message, 1, LONGEST_MESSAGE), epoch, movedOnBy }) do
        listed[#listed + 1] = field
      end
    end
  end
end
for _, state in ipairs({ 'reserved', 'claimed', 'executing', 'quarantined' }) do
  states[#states + 1] = state
  states[#states + 1] = redis.call('ZCARD', key(state))
  if state ~= 'reserved' and most > 0 then
    list(state)
  end
end

local held = redis.call('GET', key('held'))
return {
  string.format('%.0f', at), readCounters(), states, notes, redis.call('HGET', key('lock:leader'), 'owner') or '',
  held and math.max(0, tonumber(held) - at) or -1, listed, redis.call('GET', key('drain')) or '',
}
