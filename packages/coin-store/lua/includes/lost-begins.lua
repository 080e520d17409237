-- A server that lacks the last writes of another one may show a claim as not begun that an executor has
-- signed for. So a claim from before the pool's server changed (`restarted` of includes/key.lua) counts as
-- begun, and so does every claim until a coin-pool has looked at the present server
-- (check-redis-restart.lua).

-- Whether a coin-pool has looked at another server than this one.
local function isUnexamined()
  local seen = redis.call('GET', key('server'))
  if not seen then
    return false
  end
  local runId = string.match(redis.call('INFO', 'server'), 'run_id:(%x+)') or ''
  local from = string.match(redis.call('INFO', 'replication'), 'master_replid2:(%x*[1-9a-f]%x*)')
  return not string.find(seen, runId, 1, true) or
    (from ~= nil and not string.find(redis.call('GET', key('promoted-from')) or '', from, 1, true))
end

-- The time in ms up to which claims may have begun on another server; read once for all claims of a call.
local suspectUntil

-- `payload`: of a reservation that is claimed (includes/reservation.lua).
local function mayHaveBegun(payload)
  suspectUntil = suspectUntil or isUnexamined() and math.huge or tonumber(redis.call('GET', key('restarted')) or '0')
  local _, line = readPayload(payload or '')
  local claimed = tonumber(string.match(line, '^(%d+)\t'))
  return suspectUntil == math.huge or (claimed ~= nil and claimed <= suspectUntil)
end
