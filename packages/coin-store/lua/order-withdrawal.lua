-- Orders that all funds of a drained sponsor, or an amount, are sent to an address. The leader carries it out, whatever
-- happens to the process that has ordered it. The same order again changes nothing; an order of an amount is the same
-- with the same address, amount and request.
--
-- KEYS[1]  prefix of the pool
-- ARGV     address, by whom, why, 'order' or 'check' (which answers the same and orders nothing), amount ('': all funds),
--          id of the request that an amount is ordered with, 1 when the coins at rest cover the amount
-- Returns  'ordered', 'not drained', 'in flight' (a reservation or an operation has coins), 'elsewhere' (a withdrawal
--          to another address is under way), 'under way' (another one to this address is), 'repeated' (this amount was
--          ordered before the latest withdrawal), or 'not enough'
local to, by, reason, mode, amount, request, isCovered = unpack(ARGV)
-- Orders of amounts that are remembered.
local MOST_REQUESTS = 1000

if redis.call('EXISTS', key('drain')) == 0 then
  return 'not drained'
end
local isPart = amount ~= ''
local requests = key('withdrawal-requests')
local id = to .. '|' .. amount .. '|' .. request
local found = redis.call('HMGET', key('withdrawal'), 'to', 'receiver', 'amount', 'request', 'ended')
local isThere = (found[1] or found[2]) == to
local isSame = isThere and (found[3] or '') == amount and (found[4] or '') == request
if found[5] == '' then
  return isSame and 'ordered' or isThere and 'under way' or 'elsewhere'
elseif isPart and isSame then
  return 'ordered'
elseif isPart and redis.call('ZSCORE', requests, id) then
  return 'repeated'
elseif hasHolders() then
  return 'in flight'
elseif isPart and isCovered ~= '1' then
  return 'not enough'
elseif mode == 'check' or (not isPart and isSame and redis.call('SCARD', key('coins')) == 0) then
  return 'ordered'
end

redis.call('DEL', key('withdrawal'))
if isPart then
  -- Without `to`, a process that knows no amounts finds no order, instead of one of all funds.
  redis.call('HSET', key('withdrawal'), 'receiver', to, 'amount', amount, 'left', amount, 'request', request,
    'server', redis.call('GET', key('server')) or '')
  redis.call('ZADD', requests, decimal(now()), id)
  local excess = redis.call('ZCARD', requests) - MOST_REQUESTS
  if excess > 0 then
    redis.call('ZREM', requests, unpack(redis.call('ZRANGE', requests, 0, excess - 1)))
  end
else
  redis.call('HSET', key('withdrawal'), 'to', to)
end
redis.call('HSET', key('withdrawal'), 'by', by, 'reason', reason, 'since', decimal(now()), 'coins', '0', 'balance', '0',
  'gas', '0', 'digest', '', 'ended', '')
return 'ordered'
