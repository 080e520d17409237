-- Whether a reservation or an operation has coins of the pool.
local function hasHolders()
  for _, state in ipairs({ 'reserved', 'claimed', 'executing', 'quarantined', 'maintenance' }) do
    if redis.call('ZCARD', key(state)) > 0 then
      return true
    end
  end
  return false
end
