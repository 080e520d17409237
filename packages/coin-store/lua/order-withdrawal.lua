-- Orders that all funds of a drained sponsor, or an amount, are sent to an address. The leader carries it
-- out, whatever happens to the process that has ordered it. The same order again changes nothing; an order of
-- an amount is the same with the same address, amount and request.
--
-- KEYS[1]  prefix of the pool
-- ARGV     address, by whom, why, 'order' or 'check' (which answers the same and orders nothing), amount ('':
--          all funds), id of the request that an amount is ordered with, 1 when the coins at rest cover the
--          amount, id of the order, the loss after which the caller has looked at the ledger ('': none)
-- Returns  'ordered', 'not drained', 'suspended', 'after loss' (the caller does not name the latest one), 'in
--          flight' (a reservation or an operation has coins), 'elsewhere' (a withdrawal to another address is
--          under way), 'under way' (another one to this address is), 'repeated' (this amount was ordered
--          before the latest withdrawal, and since the latest loss), or 'not enough'
local to, by, reason, mode, amount, request, isCovered, id, afterLoss = unpack(ARGV)
-- Orders of amounts that are remembered.
local MOST_REQUESTS = 1000

if redis.call('EXISTS', key('drain')) == 0 then
  return 'not drained'
elseif redis.call('EXISTS', key('held')) == 1 then
  return 'suspended'
end
local isPart = amount ~= ''
local requests = key('withdrawal-requests')
local loss = currentLoss()
local member = to .. '|' .. amount .. '|' .. request .. (loss == '0' and '' or '|' .. loss)
local order = readOrder()
local isThere = order.to == to
local isSame = isThere and order.amount == amount and order.request == request
if order.isUnderWay then
  return isSame and 'ordered' or isThere and 'under way' or 'elsewhere'
elseif isPart and isSame and order.arrived == amount then
  return 'ordered'
elseif loss ~= '0' and afterLoss ~= loss then
  return 'after loss'
elseif isPart and isSame and order.loss == loss then
  return 'ordered'
elseif isPart and redis.call('ZSCORE', requests, member) then
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
  redis.call('HSET', key('withdrawal'), 'amount', amount, 'left', amount, 'arrived', '0', 'request', request)
  redis.call('ZADD', requests, decimal(now()), member)
  local excess = redis.call('ZCARD', requests) - MOST_REQUESTS
  if excess > 0 then
    redis.call('ZREM', requests, unpack(redis.call('ZRANGE', requests, 0, excess - 1)))
  end
end
redis.call('HSET', key('withdrawal'), 'address', to, 'id', id, 'loss', loss, 'by', by, 'reason', reason, 'since',
  decimal(now()), 'coins', '0', 'balance', '0', 'gas', '0', 'digest', '', 'ended', '')
return 'ordered'
