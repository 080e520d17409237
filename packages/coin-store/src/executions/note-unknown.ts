import { escapeText } from '../scripts/escape-text.js';
import { type CoinStoreRedis, runOnPool } from '../scripts/prepare-coin-store.js';
import type { BegunClaim } from './begin-execution.js';

/**
 * Records that every submission by this executor has ended in `epoch` at the latest, and that the outcome is
 * unknown. Changes nothing when the claim has changed, or when another executor has begun it since.
 */
export async function noteUnknown(
  redis: CoinStoreRedis,
  sponsor: string,
  executor: string,
  { reservationId, digest, fence }: BegunClaim,
  epoch: bigint,
): Promise<void> {
  await runOnPool(
    redis,
    'note-unknown',
    sponsor,
    reservationId,
    escapeText(digest),
    fence,
    escapeText(executor),
    String(epoch),
  );
}
