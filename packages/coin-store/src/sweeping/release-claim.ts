import { type CoinStoreRedis, runOnPool } from '../scripts/prepare-coin-store.js';

/**
 * claimed → reserved (or available past the deadline). For an orphaned claim: the caller has made sure that it has no job. False
 * when the claim has changed or its lease is not over.
 */
export async function releaseClaim(
  redis: CoinStoreRedis,
  sponsor: string,
  claim: { reservationId: number; fence: number; retentionMs: number },
): Promise<boolean> {
  const { reservationId, fence, retentionMs } = claim;
  return (
    (await runOnPool(redis, 'release-claim', sponsor, reservationId, fence, retentionMs)) === 1
  );
}
