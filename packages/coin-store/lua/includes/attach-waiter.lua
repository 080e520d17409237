-- `waiters` lists who wants to hear of an outcome: `gateway|type`, comma-separated.
local function attachWaiter(reservation, waiter)
  local waiters = redis.call('HGET', reservation, 'waiters')
  if not waiters or waiters == '' then
    redis.call('HSET', reservation, 'waiters', waiter)
  elseif not string.find(',' .. waiters .. ',', ',' .. waiter .. ',', 1, true) then
    redis.call('HSET', reservation, 'waiters', waiters .. ',' .. waiter)
  end
end
