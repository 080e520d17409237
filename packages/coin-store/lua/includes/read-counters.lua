-- All that a pool counts, as flat pairs of name and value: `totals`, and what sets and lists count by themselves.
local function readCounters()
  local counters = redis.call('HGETALL', key('totals'))
  local function add(name, command, counted)
    counters[#counters + 1] = name
    counters[#counters + 1] = redis.call(command, key(counted))
  end
  add('coins', 'SCARD', 'coins')
  add('dust:coins', 'LLEN', 'dust')
  add('treasury:coins', 'ZCARD', 'treasury')
  for _, state in ipairs({ 'reserved', 'claimed', 'executing', 'quarantined' }) do
    add(state .. ':reservations', 'ZCARD', state)
  end
  return counters
end
