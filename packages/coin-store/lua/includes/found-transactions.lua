-- Transactions that the sponsor has paid for and that the pool has no record of, found on the ledger: Redis
-- has lost them, or another process with the sponsor's key has sent them. Their gas is counted once, and the
-- stream `history-rebuilt` gets an entry for each that is a sponsorship: the fields of RebuiltSponsorship
-- (packages/contracts).

-- The longest time from an interrupted correction to its repetition.
local FOUND_KEPT_MS = 86400000

-- The transactions that are the remaining arguments: digest, gas, id of its record ('': the sponsor's own has
-- none), 1 where the reservation that is renewed was bound to it, time in ms, gas budget, coins, result,
-- sender, commands. Amounts are checked before anything is written.
local function takeFound()
  local found = {}
  while hasMore() do
    local digest, gas, id, isBound, time, budget, coins, result, sender, commands = take(10)
    requireAmount(gas)
    found[#found + 1] = { digest = digest, gas = gas, id = id, isBound = isBound == '1', at = tonumber(time),
      budget = budget, coins = coins, result = result, sender = sender, commands = commands }
  end
  return found
end

local function appendRebuilt(backlog, fields)
  if redis.call('XLEN', key('history-rebuilt')) >= backlog then
    redis.call('INCR', key('history-dropped'))
  else
    redis.call('XADD', key('history-rebuilt'), '*', unpack(fields))
  end
end

-- Adds an entry to `history-rebuilt`, while history is on. Its failure does not keep coins from being
-- corrected.
local function addRebuilt(fields)
  local backlog = tonumber(redis.call('GET', key('history-backlog')) or '')
  if backlog and attempt(appendRebuilt, backlog, fields) then
    redis.pcall('INCR', key('history-dropped'))
  end
end

-- Fields of an entry besides the facts about its sponsorship.
local function rebuiltFields(one, cause)
  return 'sender', one.sender, 'commands', one.commands, 'cause', cause
end

-- Adds the entry of one whose reservation is lost.
local function addUnbound(one, cause)
  addRebuilt({ 'v', '1', 'id', one.id, 'state', 'executed', 'ended', decimal(one.at), 'caller', '', 'budget', one.budget,
    'sum', '0', 'coins', one.coins, 'digest', one.digest, 'transaction', '', 'rule', '', 'executor', '',
    'result', one.result, 'counted', '0', 'trail', '', rebuiltFields(one, cause) })
end

-- Counts what was found, unless it was counted before the correction was interrupted. `unexplained`: the
-- further loss of funds, in transactions that the ledger no longer has. `bound`: the one whose entry
-- the end of its reservation adds.
local function countFound(found, cause, unexplained, bound)
  for _, one in ipairs(found) do
    if redis.call('SADD', key('found'), one.digest) == 1 then
      shiftTotal('funds', one.gas, 1)
      shiftTotal('gasCharged', one.gas, 1)
      shiftTotal('found:gas', one.gas, 1)
      if one.id ~= '' then
        shiftTotal('found:transactions', '1', 1)
        if one ~= bound then
          addUnbound(one, cause)
        end
      end
    end
  end
  if #found > 0 then
    redis.call('PEXPIRE', key('found'), decimal(FOUND_KEPT_MS))
  end
  if unexplained ~= '0' then
    shiftTotal('found:unexplained', unexplained, 1)
    addRebuilt({ 'v', '1', 'unexplained', unexplained, 'at', decimal(now()), 'cause', cause })
  end
end
