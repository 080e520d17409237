-- Turns history on where no process has decided about it yet: in a new pool, and after Redis has lost the
-- decision. A caller that is configured to keep history does so before it makes the first reservation, so
-- that the end of each is recorded. `stored`: `history-backlog`; `backlog`: the most entries of `history`, ''
-- for a caller without history.
local function beginHistory(stored, backlog)
  if not stored and backlog ~= '' then
    redis.call('SET', key('history-backlog'), backlog)
  end
end
