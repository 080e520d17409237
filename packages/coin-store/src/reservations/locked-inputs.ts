import { escapeText, readEscaped } from '@forecourt/contracts';
import type { InFlight } from './list-in-flight.js';
import { writeClaimName } from './claim-names.js';
import { type CoinStoreRedis, poolKey, runScript } from '../scripts/run-script.js';

/**
 * A lock whose claim was lost ends after this time. Far longer than an epoch, and the leader of the pool
 * renews those of transactions in flight.
 */
const KEPT_MS = 7 * 24 * 3_600_000;

/** An input, `objectId:version`, and the claim that it is locked for. */
export interface LockedInput {
  readonly input: string;
  readonly holder: InFlight;
}

/** Another claim that has an input. */
export interface OtherHolder {
  readonly holder: InFlight;
  /** Since it locked the input, or renewed the lock. */
  readonly ageMs: number;
}

/**
 * Locks an input, `objectId:version`, for a claim, or renews its lock. Null when the claim has it; otherwise
 * the one that has.
 */
export async function lockInput(
  redis: CoinStoreRedis,
  input: string,
  holder: InFlight,
): Promise<OtherHolder | null> {
  const args = [escapeText(input), writeHolder(holder), KEPT_MS] as const;
  const other = await runScript(redis, 'lock-input', ...args);
  if (other === null) return null;
  const [text, ageMs] = other as [string, number];
  const [sponsor = '', ...claim] = text.split('|');
  return { holder: readHolder(sponsor, claim), ageMs };
}

/** Deletes the lock of an input. False when another claim has it, or none. */
export async function unlockInput(
  redis: CoinStoreRedis,
  { input, holder }: LockedInput,
): Promise<boolean> {
  return (await runScript(redis, 'unlock-input', escapeText(input), writeHolder(holder))) === 1;
}

/**
 * Whether a claim still needs an input. `held`: its transaction is in flight; `pending`: it was not made, and
 * may be made any moment; `over`: it has ended, or is given up. `givesUp`: a claim that was not made is given
 * up, and can then be made under a later fence only.
 */
export async function abandonClaim(
  redis: CoinStoreRedis,
  { input, holder }: LockedInput,
  givesUp: boolean,
): Promise<'held' | 'pending' | 'over'> {
  const args = [...writeClaimName(holder), escapeText(input), Number(givesUp)];
  const reply = await runScript(redis, 'abandon-claim', holder.sponsor, ...args);
  return reply as 'held' | 'pending' | 'over';
}

/** The inputs that a pool's transactions in flight must have locked. */
export async function listLocked(redis: CoinStoreRedis, sponsor: string): Promise<LockedInput[]> {
  const listed = (await runScript(redis, 'list-locked', sponsor)) as string[];
  return listed.map((text) => readLockedInput(sponsor, text));
}

/** Takes up to `limit` inputs of a pool whose transactions have ended: their locks are to be deleted. */
export async function takeUnlocked(
  redis: CoinStoreRedis,
  sponsor: string,
  limit: number,
): Promise<LockedInput[]> {
  const unlocked = (await redis.lpop(poolKey(sponsor, 'unlocked'), limit)) ?? [];
  return unlocked.map((text) => readLockedInput(sponsor, text));
}

/** Stored form of the claim that holds a lock. */
function writeHolder(holder: InFlight): string {
  return [holder.sponsor, ...writeClaimName(holder)].join('|');
}

/** The text of a lock, as `lua/includes/inputs.lua` describes it. */
function readLockedInput(sponsor: string, text: string): LockedInput {
  const [input = '', ...claim] = text.split('\t');
  return { input: readEscaped(input), holder: readHolder(sponsor, claim) };
}

function readHolder(sponsor: string, [id, digest = '', fence]: readonly string[]): InFlight {
  return {
    sponsor,
    reservationId: Number(id),
    digest: readEscaped(digest),
    fence: Number(fence),
  };
}
