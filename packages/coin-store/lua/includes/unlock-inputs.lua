-- Releases the inputs of a transaction that has ended or will never execute.
local function unlockInputs(inputs)
  for input in string.gmatch(inputs, '[^,]+') do
    redis.call('HDEL', key('inputs'), input)
  end
end
