local function writeReservation(id, state, fence, begun, reserved, claim, refusal)
  redis.call('SET', key('reservation:' .. id), state .. '\t' .. fence .. '\t' .. begun .. '\n' .. reserved .. '\n' ..
    claim .. '\n' .. refusal .. '\n')
end
