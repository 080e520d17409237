-- Runs one of several transitions in a call, the one whose fields begin at ARGV[i]. An error is its reply, {'failed',
-- message}: it keeps nobody else from theirs.
local function attempt(transition, i, ...)
  local isRun, reply = pcall(transition, i, ...)
  if isRun then
    return reply
  end
  return { 'failed', tostring(reply) }
end
