-- `claimed`, `executing` and `quarantined` name a reservation as id|count|sum: what is in flight is seldom asked for and
-- then added up, so that a transaction on its way has nothing to count.
local function inFlight(id, count, sum)
  return id .. '|' .. count .. '|' .. sum
end
