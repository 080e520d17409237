import { escapeText } from '../scripts/escape-text.js';
import { type CoinStoreRedis, runOnPool } from '../scripts/prepare-coin-store.js';

/** reserved → available at the caller's request. False when this caller has no such unused reservation. */
export async function releaseReservation(
  redis: CoinStoreRedis,
  sponsor: string,
  request: { reservationId: number; caller: string; retentionMs: number },
): Promise<boolean> {
  const { reservationId, caller, retentionMs } = request;
  const args = [reservationId, escapeText(caller), retentionMs];
  return (await runOnPool(redis, 'release-reservation', sponsor, ...args)) === 1;
}
