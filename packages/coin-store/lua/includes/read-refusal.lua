-- Digest, fence, message, epoch and movedOnBy of a reservation's fourth line; '' of each when it was not refused. The fence is 0
-- while the refused transaction may still be executed: until that is excluded, no caller receives the refusal. Releases that
-- did not write 0 left the message empty instead.
local function readRefusal(line)
  if line == '' then
    return '', '', '', '', ''
  end
  local digest, fence, message, epoch, movedOnBy =
    string.match(line, '^([^\t]*)\t([^\t]*)\t([^\t]*)\t([^\t]*)\t([^\t]*)$')
  return digest, message == '' and '0' or fence, message, epoch, movedOnBy
end
