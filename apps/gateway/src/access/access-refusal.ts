import type { AccessDecision, KnownUsages, UsageCheck } from '@forecourt/policy/access';
import { ForecourtError } from '@forecourt/contracts';
import { describeLimit } from './describe-access.js';
import type { CallerRules } from './access-policy.js';

/**
 * The error for a decision that does not allow the transaction: FORBIDDEN, SPENDING_LIMIT or REQUEST_LIMIT.
 * It names a limit that the caller shares with others, but not its amount: the caller knows that it is used
 * up, and is not told by whom.
 */
export function accessRefusal(
  { outcome, rule, limit, message, checks }: AccessDecision,
  known: KnownUsages,
  rules: Pick<CallerRules, 'budget'>,
): ForecourtError {
  if (outcome === 'deny') {
    const text = message ?? rule?.message ?? 'The access rules do not allow this transaction';
    return new ForecourtError('FORBIDDEN', text);
  }
  const code = limit?.check.counts === 'requests' ? 'REQUEST_LIMIT' : 'SPENDING_LIMIT';
  const named = limit === null ? '' : `${nameExceeded(limit, rules)}; `;
  const text = message ?? rule?.message;
  if (limit?.check.windowMs === null) {
    const detail = text ?? `${named}${describeEnd(limit.check)}`;
    return new ForecourtError(code, detail, { retryAfterSecs: null });
  }
  const exceeded = limit === null ? checks : [limit.check];
  const ends = exceeded.map(({ counter }) => known.get(counter)?.endsInMs ?? 0);
  const retryAfterSecs = Math.max(1, Math.ceil(Math.max(0, ...ends) / 1_000));
  const detail = text ?? `${named}it is renewed within ${retryAfterSecs} s`;
  return new ForecourtError(code, detail, { retryAfterSecs });
}

function nameExceeded(
  { rule, check }: NonNullable<AccessDecision['limit']>,
  { budget: { token, isShared, limits } }: Pick<CallerRules, 'budget'>,
): string {
  if (rule !== null) return `${describeLimit(check)} by rule ${rule.name}`;
  if (!limits.some(({ counter }) => counter === check.counter)) {
    return 'the budget of the gas station';
  }
  if (isShared) return `the budget of token ${token}, which its users share`;
  return `${describeLimit(check)}, the budget of token ${token}`;
}

/** Why a total has no room. */
function describeEnd({ isOver, until }: Pick<UsageCheck, 'isOver' | 'until'>): string {
  if (!isOver) return 'it is used up, and is not renewed';
  return `the campaign ended at ${new Date(until!).toISOString()}`;
}

/** Name of the rule that refuses, or whose limit does; empty: none does. */
export function nameOfRefusing({ limit, rule }: AccessDecision): string {
  return limit?.rule?.name ?? rule?.name ?? '';
}
