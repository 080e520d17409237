import { createHash } from 'node:crypto';
import type { AccessSubject } from '../access-subject.js';
import { type Comparison, fits } from '../conditions/read-comparison.js';
import type { CountBy, UsageLimit } from './usage-limit.js';

/**
 * What a decision supposes of one counter. Whoever binds the reservation sees to it that it is so at that moment, and
 * counts the transaction.
 */
export interface UsageCheck {
  readonly counter: string;
  readonly counts: UsageLimit['counts'];
  /** What this transaction adds: the most it can cost, corrected once it has executed, or 1. */
  readonly amount: bigint;
  readonly comparison: Comparison;
  readonly windowMs: number;
  /** Whether the comparison holds for what is used with this transaction. */
  readonly expected: boolean;
  /** Whether the transaction is counted here. */
  readonly held: boolean;
}

/** What is known of a counter. */
export interface KnownUsage {
  readonly used: bigint;
  /** When its window ends; 0 when none has begun. */
  readonly endsInMs: number;
}

/** By counter; one that nobody has asked for is taken as unused, which is found out when it is not so. */
export type KnownUsages = ReadonlyMap<string, KnownUsage>;

/** One check for each group of a limit that a transaction counts in. */
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
  // A transaction that calls none counts as well.
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
