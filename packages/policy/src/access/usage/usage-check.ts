import { createHash } from 'node:crypto';
import type { AccessSubject } from '../access-subject.js';
import { type Comparison, fits } from '../conditions/read-comparison.js';
import type { CountBy, UsageLimit } from './usage-limit.js';

/**
 * A decision's assumption about one counter. The claim of the reservation succeeds only if the assumption still holds,
 * and counts the transaction in the same step.
 */
export interface UsageCheck {
  readonly counter: string;
  readonly counts: UsageLimit['counts'];
  /** The amount that this transaction adds: its maximum cost, corrected once it has executed, or 1. */
  readonly amount: bigint;
  readonly comparison: Comparison;
  readonly windowMs: number;
  /** Whether the comparison holds for the used amount, including this transaction. */
  readonly expected: boolean;
  /** Whether the transaction is counted here. */
  readonly held: boolean;
}

/** The known state of a counter. */
export interface KnownUsage {
  readonly used: bigint;
  /** When its window ends; 0 if none has begun. */
  readonly endsInMs: number;
}

/** By counter. A missing counter is assumed to be unused; the claim fails if it is not. */
export type KnownUsages = ReadonlyMap<string, KnownUsage>;

/** One check for each counter of the limit in which the transaction counts. */
export function checkUsage(
  limit: UsageLimit,
  subject: AccessSubject,
  known: KnownUsages,
): UsageCheck[] {
  const { counts, comparison, windowMs } = limit;
  const amount = counts === 'gas' ? subject.largestCost : 1n;
  return groupsOf(limit, subject).map((counter) => {
    const used = known.get(counter)?.used ?? 0n;
    const expected = fits(comparison, used + amount);
    return { counter, counts, amount, comparison, windowMs, expected, held: false };
  });
}

function groupsOf({ counter, countBy }: UsageLimit, subject: AccessSubject): string[] {
  if (countBy.length === 0) return [counter];
  const called = countBy.includes('package') ? subject.transaction.moveCalls : [];
  const packages = new Set(called.map(({ packageId }) => packageId));
  // A transaction without calls is counted too.
  if (packages.size === 0) packages.add('');
  return [...packages].map((packageId) => {
    const group = countBy.map((by) => groupValue(by, subject, packageId));
    const text = JSON.stringify(group);
    return `${counter}:${createHash('sha256').update(text).digest('hex').slice(0, 32)}`;
  });
}

function groupValue(by: CountBy, subject: AccessSubject, packageId: string): string {
  if (by === 'sender-address') return subject.transaction.sender;
  if (by === 'token') return subject.caller;
  if (by === 'package') return packageId;
  return subject.header(by.header) ?? '';
}
