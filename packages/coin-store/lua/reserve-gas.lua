-- Reserves coins for each of a burst of requests; a request without coins changes nothing.
--
-- KEYS[1]  prefix of the pool
-- ARGV     index of the sponsor (0 to 63), the most coins in one reservation, the most entries of history
--          ('': the caller keeps none), then for each request: caller, budget, class that surely covers it,
--          number of consecutive requests from this one on with the same class, class that may cover it,
--          duration in ms, the caller's limits: '' for none, otherwise coins|budget|coins a minute|budget a
--          minute|share in percent of the coins that no other caller holds|unused reservations a minute, each
--          '' for none; and the limits of all users of its token together
-- Returns  for each request {'reserved', reservation id, deadline in ms, coins (coin,…)}, {'empty'} when
--          there are no coins for it, or {'limited', the reached limit, ms until it allows more: 0 when that
--          depends on returned coins}; or only {'drained', the drain}

-- 2025-01-01 in ms; ids count 1/128 ms from there, times 64 for the sponsor's index: below 2^53 until 2059.
local ID_EPOCH = 1735689600000
local TICKS_PER_MS = 128
-- The other ticks are those of records without a reservation (packages/sponsorship/src/reserved-at.ts).
local RESERVED_TICKS = 64
local SPONSORS = 64

local nowMs = now()
local stored = redis.call('MGET', key('sequence'), key('classes'), key('drain'), key('history-backlog'))
if stored[3] then
  return { { 'drained', stored[3] } }
end
local last = math.floor((stored[1] or 0) / SPONSORS)
classes = stored[2] or ''

local sponsorIndex, mostCoins, backlog = take(3)
local reservations, deadlines, replies = {}, {}, {}
-- Amounts to add to the totals; sums of this few digits add up exactly, and larger ones are added at once.
local SMALL_SUM = 13
local balance, further = 0, 0
local id, lasting, deadline

while hasMore() do
  local caller, budget, sureClass, alike, possibleClass, duration, limits, usersLimits = take(8)
  local counted, most, limit, endsIn = nil, math.huge, nil, nil
  if limits ~= '' then
    counted, most, limit, endsIn = withinAllLimits(caller, tonumber(budget), limits, usersLimits, nowMs)
  end
  local coins, count, sum
  if most then
    coins, count, sum = chooseCoins(budget, sureClass, alike, possibleClass, tonumber(mostCoins), most)
  end
  if coins then
    last = math.max(last + 1, (nowMs - ID_EPOCH) * TICKS_PER_MS)
    if last % TICKS_PER_MS >= RESERVED_TICKS then
      last = last + TICKS_PER_MS - last % TICKS_PER_MS
    end
    id = decimal(last * SPONSORS + sponsorIndex)
    if duration ~= lasting then
      lasting, deadline = duration, decimal(nowMs + duration)
    end
    countReserved(counted, tonumber(budget), tonumber(count))
    reservations[#reservations + 1] = key('reservation:' .. id)
    reservations[#reservations + 1] =
      newReservation(caller, budget, deadline, duration, count, sum, counted and '1' or '', coins)
    deadlines[#deadlines + 1] = deadline
    deadlines[#deadlines + 1] = id
    further = further + count - 1
    if #sum <= SMALL_SUM then
      balance = balance + sum
    else
      redis.call('HINCRBY', key('totals'), 'reserved:balance', sum)
    end
    replies[#replies + 1] = { 'reserved', id, deadline, coins }
  elseif (not most or count) and limit ~= SCARCE then
    replies[#replies + 1] = { 'limited', limit, endsIn }
  else
    replies[#replies + 1] = { 'empty' }
  end
end
returnAhead()
if id then
  beginHistory(stored[4], backlog)
  writeUses()
  redis.call('HINCRBY', key('totals'), 'reserved:balance', decimal(balance))
  if further > 0 then
    redis.call('HINCRBY', key('totals'), 'reserved:further', decimal(further))
  end
  callRedis('ZADD', key('reserved'), unpack(deadlines))
  reservations[#reservations + 1] = key('sequence')
  reservations[#reservations + 1] = id
  callRedis('MSET', unpack(reservations))
end
return replies
