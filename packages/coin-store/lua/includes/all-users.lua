-- The callers that use one token are named `<token>:<address>`. What all of them hold together is counted as what a caller
-- named `<token>:` holds.

-- The name under which all users of a caller's token are counted; nil for a caller that is not one of them.
local function allUsersOf(caller)
  return string.match(caller, '^[^:]*:')
end
