-- A pool at one instant, for people: its counters, its earlier notes of spending, who leads it, and the
-- transactions in flight that no executor has taken up for longest. Takes one step for each class of balance
-- and each transaction in flight, and reads only the transactions that are listed.
--
-- KEYS[1]  prefix of the pool
-- ARGV     the most transactions to list of each state, then the lengths of the periods of spending, in ms
-- Returns  {ms since 1970; counters: flat pairs name, value; states: flat pairs state, how many; notes: for
--          each period the note of spending at its beginning (note-spending.lua), '' without a note; leader
--          or ''; ms that a suspension still lasts, -1 without one; the drain or ''; transactions: each as
--          flat pairs of field and value; classes: flat pairs class, available coins}
local LONGEST_MESSAGE = 1000
local nowMs = now()

-- The last note from before the period began, or the first one there is.
local function findNote(periodMs)
  local spending = key('spending')
  return redis.call('ZREVRANGEBYSCORE', spending, nowMs - periodMs, '-inf', 'LIMIT', 0, 1)[1]
    or redis.call('ZRANGE', spending, 0, 0)[1] or ''
end

local notes = {}
for index = 2, #ARGV do
  notes[#notes + 1] = findNote(tonumber(ARGV[index]))
end

local function describe(reservation)
  local claim, refusal = reservation.claim, reservation.refusal or {}
  return {
    'state', reservation.state, 'id', reservation.id, 'caller', reservation.caller,
    'reservedAt', decimal(reservation.deadline - reservation.duration), 'begunAt', reservation.begun,
    'digest', claim.digest, 'executor', claim.executor, 'coins', reservation.count,
    'message', string.sub(refusal.message or '', 1, LONGEST_MESSAGE), 'epoch', refusal.epoch or '',
    'movedOnBy', refusal.movedOnBy or '',
  }
end

local most, states, listed = tonumber(ARGV[1]), { 'reserved', redis.call('ZCARD', key('reserved')) }, {}
for _, state in ipairs(IN_FLIGHT) do
  states[#states + 1] = state
  states[#states + 1] = redis.call('ZCARD', key(state))
  for index, member in ipairs(redis.call('ZRANGE', key(state), 0, math.max(0, most - 1))) do
    local reservation = index <= most and readReservation(idOf(member))
    if reservation and reservation.claim then
      listed[#listed + 1] = describe(reservation)
    end
  end
end

local held = redis.call('GET', key('held'))
return {
  decimal(nowMs), readCounters(), states, notes, redis.call('HGET', key('lock:leader'), 'owner') or '',
  held and math.max(0, tonumber(held) - nowMs) or -1, redis.call('GET', key('drain')) or '', listed,
  countClasses(),
}
