-- Ends the ordered withdrawal: its amount has left, or the remaining coins are not worth their gas.
--
-- KEYS[1]  prefix of the pool
-- ARGV     the required address of the withdrawal, its required amount ('': all funds), its required id, what
--          is left of the amount by the caller's knowledge ('': all funds)
-- Returns  1, or 0 when no such withdrawal is under way, an operation still has coins, or something else is
--          left: a transaction has not sent what it was bound to send
local to, amount, id, left = unpack(ARGV)
local order = readOrder()
if not isOrder(order, to, amount, id) or order.left ~= left or redis.call('ZCARD', key('maintenance')) > 0 then
  return 0
end
endOrder()
return 1
