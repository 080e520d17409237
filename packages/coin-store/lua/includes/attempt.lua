-- Runs one of several transitions in a call, the one whose fields begin at ARGV[i]. An error becomes its reply,
-- {'failed', message}; the other transitions are unaffected.
local function attempt(transition, i, ...)
  local isRun, reply = pcall(transition, i, ...)
  if isRun then
    return reply
  end
  return { 'failed', tostring(reply) }
end
