-- Digest, fence, message, epoch and movedOnBy of a reservation's fourth line; '' of each when it was not refused.
local function readRefusal(line)
  if line == '' then
    return '', '', '', '', ''
  end
  return string.match(line, '^([^\t]*)\t([^\t]*)\t([^\t]*)\t([^\t]*)\t([^\t]*)$')
end
