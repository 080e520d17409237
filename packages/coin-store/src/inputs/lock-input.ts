import { type CoinStoreRedis, runOnInput } from '../scripts/prepare-coin-store.js';
import type { InFlight } from '../sweeping/list-in-flight.js';
import { readHolder, writeHolder } from './input-holder.js';

/**
 * A lock whose claim was lost ends after this time. Far longer than an epoch, and the leader of the pool renews those of
 * transactions in flight.
 */
const KEPT_MS = 7 * 24 * 3_600_000;

/** Another claim that has an input. */
export interface OtherHolder {
  readonly holder: InFlight;
  /** Since it locked the input, or renewed the lock. */
  readonly ageMs: number;
}

/** Locks an input, `objectId:version`, for a claim, or renews its lock. Null when the claim has it; otherwise the one that has. */
export async function lockInput(
  redis: CoinStoreRedis,
  input: string,
  holder: InFlight,
): Promise<OtherHolder | null> {
  const other = await runOnInput(redis, 'lock-input', input, writeHolder(holder), KEPT_MS);
  if (other === null) return null;
  const [text, ageMs] = other as [string, number];
  return { holder: readHolder(text), ageMs };
}
