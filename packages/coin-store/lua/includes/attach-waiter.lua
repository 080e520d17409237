-- `waiters` lists the gateways that wait for an outcome: `gateway|type`, comma-separated.
local function attachWaiter(id, waiter)
  local state, fence, begun, reserved, claim, refusal = readReservation(id)
  local before, waiters, after = string.match(claim, '^([^\t]*\t[^\t]*\t[^\t]*\t)([^\t]*)(\t.*)$')
  if string.find(',' .. waiters .. ',', ',' .. waiter .. ',', 1, true) then
    return
  end
  local all = waiters == '' and waiter or waiters .. ',' .. waiter
  writeReservation(id, state, fence, begun, reserved, before .. all .. after, refusal)
end
