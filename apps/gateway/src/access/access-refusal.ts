import type { AccessDecision, KnownUsages } from '@forecourt/policy/access';
import { ForecourtError } from '@forecourt/contracts';

/** The error for a decision that does not allow the transaction: FORBIDDEN or SPENDING_LIMIT. */
export function accessRefusal(
  { outcome, rule, message, checks }: AccessDecision,
  known: KnownUsages,
): ForecourtError {
  if (outcome === 'deny') {
    const text = message ?? rule?.message ?? 'The access rules do not allow this transaction';
    return new ForecourtError('FORBIDDEN', text);
  }
  const ends = checks.map(({ counter }) => known.get(counter)?.endsInMs ?? 0);
  const retryAfterSecs = Math.max(1, Math.ceil(Math.max(0, ...ends) / 1_000));
  const detail = message ?? rule?.message ?? `it is renewed within ${retryAfterSecs} s`;
  return new ForecourtError('SPENDING_LIMIT', detail, { retryAfterSecs });
}
