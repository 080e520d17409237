-- Thresholds of budgets: the stream `history-thresholds` gets one entry when a counter reaches one for the
-- first time in its window (ThresholdEntry in packages/contracts). The highest is kept beside the counter for
-- each limit, so that neither settlements that lower the count nor another limit of the counter repeat it. A
-- budget: JSON for webhooks and metrics, '' where nothing is announced.
local KEPT_THRESHOLDS = '1000'

-- The announcements of this call, as flat pairs: threshold and budget.
local reached = {}

-- The highest threshold, in percent, of an amount; 0: none. Doubles are exact for limits below 9e13 smallest
-- units, and beyond differ by less than the cost of one transaction.
local function thresholdOf(used, limit)
  local amount, full = tonumber(used) * 100, tonumber(limit)
  return amount >= full * 100 and 100 or amount >= full * 80 and 80 or amount >= full * 50 and 50 or 0
end

local function announceThreshold(counter, threshold, used, limit, budget)
  local field = 'announced:' .. limit
  if threshold == 0 or tonumber(redis.call('HGET', counter.usage, field) or 0) >= threshold then
    return
  end
  redis.call('HSET', counter.usage, field, decimal(threshold))
  redis.call('XADD', key('history-thresholds'), 'MAXLEN', '~', KEPT_THRESHOLDS, '*', 'threshold', decimal(threshold),
    'used', used, 'counter', counter.name, 'window', counter.window, 'budget', budget)
  for _, value in ipairs({ decimal(threshold), budget }) do
    noteUndo({ reached, #reached + 1, nil })
    reached[#reached + 1] = value
  end
end
