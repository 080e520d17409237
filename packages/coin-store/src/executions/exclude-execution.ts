import type { Waiter } from '@forecourt/contracts';
import { readWaiters } from '../reservations/waiter-text.js';
import { escapeText } from '../scripts/escape-text.js';
import { type CoinStoreRedis, runOnPool } from '../scripts/prepare-coin-store.js';
import type { BegunClaim } from './begin-execution.js';

/**
 * Records that a quarantined transaction can never be executed: its callers may have the refusal, and its inputs
 * are free. The coins stay bound. Null when the claim has changed or this was recorded before; otherwise the
 * waiters for the outcome.
 */
export async function excludeExecution(
  redis: CoinStoreRedis,
  sponsor: string,
  { reservationId, digest, fence }: BegunClaim,
): Promise<Waiter[] | null> {
  const reply = await runOnPool(
    redis,
    'exclude-execution',
    sponsor,
    reservationId,
    escapeText(digest),
    fence,
  );
  return reply === null ? null : readWaiters(reply as string);
}
