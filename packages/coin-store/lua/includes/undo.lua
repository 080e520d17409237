-- A script that fails changes nothing. Redis keeps what a failed script has written, so each write notes what
-- takes it back. `prepareCoinStore` turns `redis.call('HSET', …)` into `undoableHSET(…)`, and so on for all
-- commands below. Most replies tell what was there before, which saves a command. Messages, acknowledgements
-- and what is removed from a stream cannot be taken back: scripts leave them to their end, or their loss does
-- no harm. A key may keep the deadline of the write, and a number that was absent may be 0.

-- Writes without noting what takes the write back: for the last write that can fail, or one that cannot. Only a key of
-- another type and an argument out of range stop a script after its first write, so SET and DEL cannot fail,
-- nor a write to a key of which a read has shown the type.
local callRedis = redis.call

-- Steps that take the writes back, in the order of the writes: commands, and {table, field, value} for values
-- of the script itself.
local undos = {}

local function noteUndo(undo)
  undos[#undos + 1] = undo
end

-- Takes back what was noted after the first `kept` notes.
local function rollBack(kept)
  for index = #undos, kept + 1, -1 do
    local undo = undos[index]
    undos[index] = nil
    if type(undo[1]) == 'table' then
      undo[1][undo[2]] = undo[3]
    else
      pcall(callRedis, unpack(undo))
    end
  end
end

-- Runs a whole script.
local function runUndoably(script)
  local isRun, reply = pcall(script)
  if isRun then
    return reply
  end
  rollBack(0)
  error(reply, 0)
end

-- The text of a key before it is written.
local function noteText(stored, before)
  if before then
    noteUndo({ 'SET', stored, before, 'KEEPTTL' })
  else
    noteUndo({ 'DEL', stored })
  end
end

local function noteDeadline(stored)
  local leftMs = callRedis('PTTL', stored)
  if leftMs == -1 then
    noteUndo({ 'PERSIST', stored })
  elseif leftMs >= 0 then
    noteUndo({ 'PEXPIRE', stored, leftMs })
  end
end

local function noteField(hash, field)
  local before = callRedis('HGET', hash, field)
  noteUndo(before and { 'HSET', hash, field, before } or { 'HDEL', hash, field })
end

local function noteScore(zset, member)
  local before = callRedis('ZSCORE', zset, member)
  noteUndo(before and { 'ZADD', zset, before, member } or { 'ZREM', zset, member })
end

-- Of the arguments, each one that is `step` after the last.
local function noteEach(note, stored, step, ...)
  for index = step, select('#', ...), step do
    note(stored, (select(index, ...)))
  end
end

-- The items are at the head of the list again, in this order.
local function noteHead(list, items)
  for index = 1, #items do
    noteUndo({ 'LPUSH', list, items[index] })
  end
end

-- Only with NX it replies whether it has set the key.
local function undoableSET(stored, text, option, ...)
  if option == 'NX' then
    local isSet = callRedis('SET', stored, text, option)
    if isSet then
      noteUndo({ 'DEL', stored })
    end
    return isSet
  elseif option then
    noteText(stored, callRedis('SET', stored, text, 'GET', option, ...))
  else
    noteText(stored, callRedis('SET', stored, text, 'GET'))
  end
end

local function undoableMSET(...)
  for index = 1, select('#', ...), 2 do
    local stored = select(index, ...)
    noteText(stored, callRedis('GET', stored))
  end
  return callRedis('MSET', ...)
end

local function undoableSETRANGE(stored, ...)
  noteText(stored, callRedis('GET', stored))
  return callRedis('SETRANGE', stored, ...)
end

local function undoableAPPEND(stored, text)
  noteText(stored, callRedis('GET', stored))
  return callRedis('APPEND', stored, text)
end

local function undoableINCR(stored)
  local number = callRedis('INCR', stored)
  noteUndo({ 'DECR', stored })
  return number
end

local function undoableINCRBY(stored, amount)
  local number = callRedis('INCRBY', stored, amount)
  noteUndo({ 'DECRBY', stored, amount })
  return number
end

local function undoableDECRBY(stored, amount)
  local number = callRedis('DECRBY', stored, amount)
  noteUndo({ 'INCRBY', stored, amount })
  return number
end

local function undoablePEXPIRE(stored, durationMs)
  noteDeadline(stored)
  return callRedis('PEXPIRE', stored, durationMs)
end

local function undoablePERSIST(stored)
  noteDeadline(stored)
  return callRedis('PERSIST', stored)
end

local function undoableDEL(...)
  local deleted = 0
  for _, stored in ipairs({ ... }) do
    local isText, text = pcall(callRedis, 'GETDEL', stored)
    if not isText then
      local kind = callRedis('TYPE', stored).ok
      noteDeadline(stored)
      if kind == 'hash' then
        noteEach(noteField, stored, 1, unpack(callRedis('HKEYS', stored)))
      elseif kind == 'set' then
        noteUndo({ 'SADD', stored, unpack(callRedis('SMEMBERS', stored)) })
      end
      deleted = deleted + callRedis('DEL', stored)
    elseif text then
      noteUndo({ 'SET', stored, text })
      deleted = deleted + 1
    end
  end
  return deleted
end

local function undoableHSET(hash, field, text, ...)
  noteField(hash, field)
  noteEach(noteField, hash, 2, '', ...)
  return callRedis('HSET', hash, field, text, ...)
end

local function undoableHDEL(hash, field, ...)
  noteField(hash, field)
  noteEach(noteField, hash, 1, ...)
  return callRedis('HDEL', hash, field, ...)
end

local function undoableHINCRBY(hash, field, amount)
  local number = callRedis('HINCRBY', hash, field, amount)
  amount = tostring(amount)
  noteUndo({ 'HINCRBY', hash, field, string.sub(amount, 1, 1) == '-' and string.sub(amount, 2) or '-' .. amount })
  return number
end

local function undoableSADD(set, member)
  local added = callRedis('SADD', set, member)
  if added == 1 then
    noteUndo({ 'SREM', set, member })
  end
  return added
end

local function undoableSREM(set, ...)
  for index, isMember in ipairs(callRedis('SMISMEMBER', set, ...)) do
    if isMember == 1 then
      noteUndo({ 'SADD', set, (select(index, ...)) })
    end
  end
  return callRedis('SREM', set, ...)
end

local function undoableZADD(zset, score, member, ...)
  if score == 'NX' then
    noteScore(zset, (...))
  else
    noteScore(zset, member)
    noteEach(noteScore, zset, 2, ...)
  end
  return callRedis('ZADD', zset, score, member, ...)
end

local function undoableZREM(zset, member, ...)
  noteScore(zset, member)
  noteEach(noteScore, zset, 1, ...)
  return callRedis('ZREM', zset, member, ...)
end

local function undoableRPUSH(list, ...)
  local length = callRedis('RPUSH', list, ...)
  noteUndo({ 'RPOP', list, select('#', ...) })
  return length
end

local function undoableLPUSH(list, item)
  local length = callRedis('LPUSH', list, item)
  noteUndo({ 'LPOP', list })
  return length
end

local function undoableLPOP(list, count)
  local items = callRedis('LPOP', list, count)
  noteHead(list, items or {})
  return items
end

local function undoableLTRIM(list, first, last)
  local items = callRedis('LRANGE', list, 0, first - 1)
  local reply = callRedis('LTRIM', list, first, last)
  noteHead(list, items)
  return reply
end

local function undoableLREM(list, count, item)
  local place = callRedis('LPOS', list, item, 'RANK', count)
  local next = place and callRedis('LINDEX', list, place + 1)
  local removed = callRedis('LREM', list, count, item)
  if next then
    noteUndo({ 'LINSERT', list, 'BEFORE', next, item })
  elseif place then
    noteUndo({ 'RPUSH', list, item })
  end
  return removed
end

local function undoableXADD(stream, ...)
  local entry = callRedis('XADD', stream, ...)
  if entry then
    noteUndo({ 'XDEL', stream, entry })
  end
  return entry
end
