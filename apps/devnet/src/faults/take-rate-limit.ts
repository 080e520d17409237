import type { Fault } from './fault.js';
import type { FaultBoard } from './fault-board.js';
import type { RecentCalls } from './recent-calls.js';

type RateLimit = Extract<Fault, { kind: 'rateLimit' }>;

/** The limit that declines this call; null, and a record of the call, where none does. */
export function takeRateLimit(
  faults: FaultBoard,
  recentCalls: RecentCalls,
  method: string,
  as: RateLimit['as'],
): RateLimit | null {
  let isLimited = false;
  const limit = faults.take('rateLimit', method, (fault) => {
    if (fault.as !== as) return false;
    isLimited = true;
    return fault.perSecond === null || recentCalls.count(fault.of) >= fault.perSecond;
  });
  if (limit === null && isLimited) recentCalls.note('requests');
  return limit;
}
