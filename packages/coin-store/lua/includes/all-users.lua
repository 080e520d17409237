-- The users of one token are callers named `<token>:<address>`. The coins that they hold together are counted for a
-- caller named `<token>:`.

-- The name under which all users of a caller's token are counted; nil for a caller that is not one of them.
local function allUsersOf(caller)
  return string.match(caller, '^[^:]*:')
end
