-- The order to send a sponsor's funds, `withdrawal`, and the possible losses after which it ends, `loss`.

local function readOrder()
  local found = redis.call('HMGET', key('withdrawal'), 'address', 'amount', 'request', 'id', 'left', 'arrived', 'loss',
    'ended')
  return { to = found[1], amount = found[2] or '', request = found[3] or '', id = found[4] or '',
    left = found[5] or '', arrived = found[6] or '', loss = found[7] or '0', isUnderWay = found[8] == '' }
end

local function isOrder(order, to, amount, id)
  return order.isUnderWay and order.to == to and order.amount == amount and order.id == id
end

-- Id of the latest loss; '0' before the first.
local function currentLoss()
  return redis.call('HGET', key('loss'), 'id') or '0'
end

-- Whether what an order has sent is certainly known: it was made since the latest loss.
local function isCurrent(order)
  return order.isUnderWay and order.loss == currentLoss()
end

local function endOrder()
  if redis.call('HGET', key('withdrawal'), 'ended') == '' then
    redis.call('HSET', key('withdrawal'), 'ended', decimal(now()))
  end
end

-- Redis may have lost transactions: no order goes on, and each later one names this loss. It is later than
-- `known`, which another server may have noted.
local function noteLoss(known)
  local id = math.max(now(), tonumber(currentLoss()) + 1, tonumber(known or 0) + 1)
  redis.call('HSET', key('loss'), 'id', decimal(id), 'suspended', '1')
  endOrder()
end
