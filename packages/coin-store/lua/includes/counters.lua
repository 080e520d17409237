-- All counters of a pool, as flat pairs of name and value: `totals`, and the sizes of sets and lists. A name
-- may occur more than once; the reader adds its values up exactly. Takes one step for each transaction in
-- flight.
local function readCounters()
  local counters = redis.call('HGETALL', key('totals'))
  local function add(name, value)
    counters[#counters + 1] = name
    counters[#counters + 1] = value
  end
  add('coins', redis.call('SCARD', key('coins')))
  add('dust:coins', redis.call('LLEN', key('dust')))
  add('treasury:coins', redis.call('ZCARD', key('treasury')))
  add('reserved:coins', redis.call('ZCARD', key('reserved')))
  add('reserved:coins', redis.call('HGET', key('totals'), 'reserved:further') or 0)
  for _, state in ipairs(IN_FLIGHT) do
    local coins, balance = 0, 0
    for _, count, sum in eachInFlight(state) do
      coins = coins + count
      -- Sums of this few digits add up exactly below 2^53.
      if #sum > 13 then
        add(state .. ':balance', sum)
      elseif balance > 8e15 then
        add(state .. ':balance', decimal(balance))
        balance = tonumber(sum)
      else
        balance = balance + sum
      end
    end
    add(state .. ':coins', coins)
    add(state .. ':balance', decimal(balance))
  end
  return counters
end
