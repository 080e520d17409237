-- Keeps the part of a reservation that answers retries during the outcome retention.
local function writeOutcome(id, state, fence, reserved, digest, refusal, retentionMs)
  local named = string.match(reserved, '^[^\t]*\t[^\t]*\t[^\t]*\t[^\t]*')
  redis.call('SET', key('reservation:' .. id),
    state .. '\t' .. fence .. '\t\n' .. named .. '\t\t\t\t\n' .. digest .. '\n' .. refusal .. '\n', 'PX', retentionMs)
end
