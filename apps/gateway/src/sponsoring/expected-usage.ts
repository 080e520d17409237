import { type ExpectedUsage, TOTAL_WINDOW_MS } from '@forecourt/contracts';
import { claimedComparison, type UsageCheck } from '@forecourt/policy/access';

export function toExpectedUsage(check: UsageCheck): ExpectedUsage {
  const { counter, counts, amount, windowMs, expected, held, budget } = check;
  const { operator, limit } = claimedComparison(check);
  return {
    counter,
    counts,
    amount: String(amount),
    operator,
    limit: String(limit),
    windowMs: windowMs ?? TOTAL_WINDOW_MS,
    expected,
    held,
    ...(budget && { budget }),
  };
}
