-- All that a pool counts, as flat pairs of name and value: `totals`, and what sets and lists count by themselves. A name
-- may come more than once; its values are then to be added up, by whoever can do so exactly. Takes a step for each
-- transaction in flight.
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
  for _, state in ipairs({ 'claimed', 'executing', 'quarantined' }) do
    for _, member in ipairs(redis.call('ZRANGE', key(state), 0, -1)) do
      local count, sum = string.match(member, '^%d+|(%d+)|(%d+)$')
      add(state .. ':coins', count)
      add(state .. ':balance', sum)
    end
  end
  return counters
end
