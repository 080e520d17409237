-- The whole stored state of one reservation, for operators.
--
-- KEYS[1]  prefix of the pool
-- ARGV     reservation id
-- Returns  false when there is no record; otherwise {flat pairs of field and value: `now` in ms since 1970,
--          `keptMs` (the remaining retention of the record; -1: until the reservation ends), and what
--          includes/reservation.lua reads; held amounts of counters: {counter, kind, amount, the counter's
--          used amount} each}
local reservation = readReservation(ARGV[1])
if not reservation then
  return false
end
local fields = { 'now', decimal(now()), 'keptMs', redis.call('PTTL', key('reservation:' .. reservation.id)) }
local function add(prefix, values)
  for name, value in pairs(values) do
    if type(value) ~= 'table' then
      fields[#fields + 1] = prefix .. name
      fields[#fields + 1] = value
    end
  end
end
local claim = reservation.claim or {}
add('', reservation)
add('claim.', claim)
add('refusal.', reservation.refusal or {})

local held = {}
for counter, kind, _, amount in eachHold(claim.holds or '') do
  held[#held + 1] = { counter, kind, amount, redis.call('HGET', key('usage:' .. counter), 'used') or '0' }
end
return { fields, held }
