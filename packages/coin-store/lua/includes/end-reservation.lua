-- Ends an unused reservation: its coins are placed again, and its outcome answers callers for a while.
local function endReservation(id, state, fence, reserved, refusal, retentionMs)
  local caller, budget, _, _, count, _, counted, coins = readReserved(reserved)
  placeCoins(coins)
  if counted == '1' then
    releaseCallerUse(caller, count, budget)
  end
  writeOutcome(id, state, fence, reserved, '', refusal, retentionMs)
end
