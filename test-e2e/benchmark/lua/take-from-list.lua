-- A minimal reservation for comparison: the first coins of one list until their balances cover the budget,
-- and the reservation written as JSON. No classes of balance, no states, no exact sums.
--
-- KEYS[1…5]  list of coins (balance,objectId,version,digest), number of coins, their balance, the last id,
--            deadlines
-- ARGV       budget, deadline in ms, the most coins, prefix of reservations
-- Returns    {id, coins}, or false when the first coins do not cover the budget
local budget, most = tonumber(ARGV[1]), tonumber(ARGV[3])
local coins, sum = {}, 0
while sum < budget and #coins < most do
  local coin = redis.call('LPOP', KEYS[1])
  if not coin then
    break
  end
  coins[#coins + 1] = coin
  sum = sum + tonumber(string.match(coin, '^(%d+),'))
end
if sum < budget then
  for i = #coins, 1, -1 do
    redis.call('LPUSH', KEYS[1], coins[i])
  end
  return false
end
redis.call('DECRBY', KEYS[2], #coins)
redis.call('DECRBY', KEYS[3], sum)
local id = redis.call('INCR', KEYS[4])
redis.call('SET', ARGV[4] .. id, cjson.encode({ budget = ARGV[1], deadline = ARGV[2], coins = coins }))
redis.call('ZADD', KEYS[5], ARGV[2], id)
return { id, coins }
