import type { Waiter } from '@forecourt/contracts';
import { type CoinStoreRedis, runOnPool } from '../scripts/prepare-coin-store.js';
import { writeWaiter } from './waiter-text.js';

export type ClaimResult =
  | { readonly result: 'claimed'; readonly fence: number }
  | { readonly result: 'known' | 'unknown' | 'expired' | 'used' };

/**
 * reserved → claimed. The claim keeps the bytes and the user's signature (base64), so that a lost job can be made again.
 * `leaseMs`: how long the claim stands without a job.
 */
export async function claimReservation(
  redis: CoinStoreRedis,
  sponsor: string,
  claim: {
    reservationId: number;
    caller: string;
    digest: string;
    txBytes: string;
    userSig: string;
    waiter: Waiter;
    leaseMs: number;
  },
): Promise<ClaimResult> {
  const reply = (await runOnPool(
    redis,
    'claim-reservation',
    sponsor,
    claim.reservationId,
    claim.caller,
    claim.digest,
    claim.txBytes,
    claim.userSig,
    writeWaiter(claim.waiter),
    claim.leaseMs,
  )) as number | 'known' | 'unknown' | 'expired' | 'used';
  return typeof reply === 'number' ? { result: 'claimed', fence: reply } : { result: reply };
}
