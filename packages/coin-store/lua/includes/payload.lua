-- The transaction of a reservation in flight, bytes and signature separated by a tab, is stored apart from it: it may
-- be a thousand times as long, and only beginning an execution needs it.
local function payloadKey(id)
  return key('payload:' .. id)
end
