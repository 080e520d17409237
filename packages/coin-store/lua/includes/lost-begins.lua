-- A server that lacks the last writes of another one may show a claim as not begun that an executor has
-- signed for. So a claim from before the pool's server changed (`restarted` of includes/key.lua) counts as
-- begun, and so does every claim until a coin-pool has looked at the present server
-- (check-redis-restart.lua).

-- The time in ms up to which claims may have begun on another server; read once for all claims of a call.
local suspectUntil

local function readSuspectUntil()
  local seen, from, restarted = unpack(redis.call('MGET', key('server'), key('promoted-from'), key('restarted')))
  if seen then
    local runId = string.match(redis.call('INFO', 'server'), 'run_id:(%x+)') or ''
    local present = string.match(redis.call('INFO', 'replication'), 'master_replid2:(%x*[1-9a-f]%x*)')
    if not string.find(seen, runId, 1, true) or (present and not string.find(from or '', present, 1, true)) then
      return math.huge
    end
  end
  return tonumber(restarted or '0')
end

-- `payload`: of a reservation that is claimed (includes/reservation.lua).
local function mayHaveBegun(payload)
  suspectUntil = suspectUntil or readSuspectUntil()
  local _, line = readPayload(payload or '')
  local claimed = tonumber(string.match(line, '^(%d+)\t'))
  return suspectUntil == math.huge or (claimed ~= nil and claimed <= suspectUntil)
end
