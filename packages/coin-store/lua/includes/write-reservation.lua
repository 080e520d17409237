local function writeReservation(id, state, fence, begun, reserved, claim, refusal, payload)
  redis.call('SET', key('reservation:' .. id), state .. '\t' .. fence .. '\t' .. begun .. '\n' .. reserved .. '\n' ..
    claim .. '\n' .. refusal .. '\n' .. payload)
end
