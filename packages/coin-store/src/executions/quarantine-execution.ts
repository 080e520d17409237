import { escapeText } from '../scripts/escape-text.js';
import { type CoinStoreRedis, runOnPool } from '../scripts/prepare-coin-store.js';

/**
 * executing → quarantined: not executed as far as is known, but it may still be, and validators may hold the coins for it.
 * `quarantined` is false when it was quarantined before (its epoch and `movedOnBy` are then renewed), or the claim has changed.
 * `isCurrent`: the claim has not changed, so that its coins are still bound to it.
 */
export async function quarantineExecution(
  redis: CoinStoreRedis,
  sponsor: string,
  quarantine: {
    reservationId: number;
    digest: string;
    fence: number;
    /** The ledger's own text; empty: no node reported the outcome. */
    message: string;
    /** The ledger's epoch when it was last submitted. */
    epoch: bigint;
    /** Digest of the sponsor's own transaction that is about to move the coins on. */
    movedOnBy?: string;
    /** No refusal that the caller could have caused: it does not count against its limit. */
    isExcused?: boolean;
  },
): Promise<{ quarantined: boolean; isCurrent: boolean }> {
  const reply = await runOnPool(
    redis,
    'quarantine-execution',
    sponsor,
    quarantine.reservationId,
    escapeText(quarantine.digest),
    quarantine.fence,
    escapeText(quarantine.message),
    String(quarantine.epoch),
    escapeText(quarantine.movedOnBy ?? ''),
    quarantine.isExcused ? 1 : 0,
  );
  return { quarantined: reply === 2, isCurrent: reply !== null };
}
