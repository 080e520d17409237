-- A reservation is one text, so that a transition reads once and writes once: four lines of fields separated by tabs.
--
--   state fence begun
--   caller budget deadline duration count sum counted coins
--   digest lease rule waiters holds inputs executor resumed
--   refusedDigest refusedFence refusal quarantineEpoch movedOnBy
--
-- `fence` counts the claims, abandoned ones included (forgo-claim.lua); `begun` is the time in ms at which it was begun.
-- The second line is written once; `counted` is 1 where the caller has limits. The third exists once it is claimed, the
-- fourth once it is refused. In a quarantine `lease` is the time in ms since which validators may hold the coins.
-- `resumed` is 1 once a second executor has begun it, and 1:<epoch> once every submission has ended without a known
-- outcome; `refusedFence` is 0 until the refusal is final (includes/read-refusal.lua). The record of an ended reservation
-- has no count, sum, counted and coins, but the digest of the executed transaction.
-- The transaction, which may be long, is stored apart (includes/payload.lua).
-- Callers of the scripts escape tabs and line ends inside fields.
local RESERVATION = '^(%l+)\t(%d+)\t(%d*)\n([^\n]*)\n([^\n]*)\n([^\n]*)\n'

-- State, fence, begun and the next three lines; nil when there is no such reservation.
local function readReservation(id)
  return string.match(redis.call('GET', key('reservation:' .. id)) or '', RESERVATION)
end

-- The fields of the second line, in its order.
local function readReserved(line)
  return string.match(line,
    '^([^\t]*)\t([^\t]*)\t([^\t]*)\t([^\t]*)\t([^\t]*)\t([^\t]*)\t([^\t]*)\t([^\t]*)$')
end

-- The fields of the third line, in its order, while the reservation is claimed, executing or quarantined.
local function readClaim(line)
  return string.match(line,
    '^([^\t]*)\t([^\t]*)\t([^\t]*)\t([^\t]*)\t([^\t]*)\t([^\t]*)\t([^\t]*)\t([^\t]*)$')
end

-- The digest that a reservation is bound to, '' when there is none.
local function readDigest(claim)
  return string.match(claim, '^[^\t]*')
end
