-- Ends an unused reservation: its coins rest again, and what is left of it answers callers for a while.
local function endReservation(id, state, fence, reserved, refusal, retentionMs)
  local caller, budget, _, _, count, _, counted, coins = readReserved(reserved)
  placeCoins(coins)
  if counted == '1' then
    giveBackCallerUse(caller, count, budget)
  end
  writeOutcome(id, state, fence, reserved, '', refusal, retentionMs)
end
