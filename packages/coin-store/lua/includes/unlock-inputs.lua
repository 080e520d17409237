-- The transaction has ended, or will never be: its inputs are free.
local function unlockInputs(inputs)
  for input in string.gmatch(inputs, '[^,]+') do
    redis.call('HDEL', key('inputs'), input)
  end
end
