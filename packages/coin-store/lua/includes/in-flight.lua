-- `claimed`, `executing` and `quarantined` name a reservation as id|count|sum: the sums in flight are read rarely and
-- added up then, so that a transition has no totals to update.
local function inFlight(id, count, sum)
  return id .. '|' .. count .. '|' .. sum
end
