-- Whether a reservation is missing from the index of its state (`found`: 0 or false) because the index was lost, and
-- the pool has been rebuilt since: its coins are elsewhere. Before that they are in no state.
local function isRebuiltWithout(found)
  return (not found or found == 0) and isWhole()
end
