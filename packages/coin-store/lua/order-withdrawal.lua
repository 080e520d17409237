-- Orders that the funds of a drained sponsor are sent to an address. The leader carries it out, whatever happens to the
-- process that has ordered it. The same order again changes nothing.
--
-- KEYS[1]  prefix of the pool
-- ARGV     address, by whom, why, 'order' or 'check' (which answers the same and orders nothing)
-- Returns  'ordered', 'not drained', 'in flight' (a reservation or an operation has coins), or 'elsewhere' (a withdrawal
--          to another address is under way)
local to, by, reason, mode = unpack(ARGV)
if redis.call('EXISTS', key('drain')) == 0 then
  return 'not drained'
end
local found = redis.call('HMGET', key('withdrawal'), 'to', 'ended')
local isSame = found[1] == to
if found[2] == '' then
  return isSame and 'ordered' or 'elsewhere'
elseif hasHolders() then
  return 'in flight'
elseif mode == 'check' or (isSame and redis.call('SCARD', key('coins')) == 0) then
  return 'ordered'
end
redis.call('DEL', key('withdrawal'))
redis.call('HSET', key('withdrawal'), 'to', to, 'by', by, 'reason', reason, 'since', decimal(now()), 'coins', '0',
  'balance', '0', 'gas', '0', 'digest', '', 'ended', '')
return 'ordered'
