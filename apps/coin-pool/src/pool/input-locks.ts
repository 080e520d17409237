import { Inject, Injectable } from '@nestjs/common';
import {
  type ClaimResult,
  type CoinStoreRedis,
  abandonClaim,
  type InFlight,
  listLocked,
  lockInput,
  takeUnlocked,
  unlockInput,
} from '@forecourt/coin-store';
import { ForecourtError } from '@forecourt/contracts';
import { REDIS } from '@forecourt/runtime/service';

/** How long an input stays locked for a claim that is not made: its coin-pool may have died. */
const LEASE_MS = 5_000;
/** A fence rarely differs from the expected one, and even more rarely several times in a row. */
const MAX_FENCES = 10;
/** Locks of ended transactions that are deleted at once. */
const DELETED_AT_ONCE = 500;

/** The claim whose inputs are locked. */
interface LockingClaim {
  readonly sponsor: string;
  readonly reservationId: number;
  readonly digest: string;
  readonly inputs: readonly string[];
}

/** Result of a claim under the right fence. */
type Claimed = Exclude<ClaimResult, { readonly result: 'passed' }>;

/**
 * Locks inputs across the pools of all sponsors, before the reservation is claimed: an input has its own
 * slot, so no script can do both. A lock names its claim, and counts while that claim is in flight or may
 * still be made. A claim that was not made in time is given up in its pool, after which it cannot be made,
 * and the next transaction takes the input.
 */
@Injectable()
export class InputLocks {
  constructor(@Inject(REDIS) private readonly redis: CoinStoreRedis) {}

  /**
   * Runs `claim` while the inputs are locked under the fence that it receives; without inputs, under any. The
   * locks stay when it has claimed, and when it throws, since it may have claimed; otherwise they are undone.
   * Throws POOL_REFUSED, and what Redis throws.
   */
  async around(
    { inputs, sponsor, reservationId, digest }: LockingClaim,
    claim: (fence: number | null) => Promise<ClaimResult>,
  ): Promise<Claimed> {
    // One order for all, so that one of several transactions over the same inputs has them all.
    const ordered = inputs.toSorted();
    let fence = 1;
    for (let fences = 0; fences < MAX_FENCES; fences++) {
      const holder = { sponsor, reservationId, digest, fence };
      const locked = await this.lockAll(ordered, holder);
      if (locked !== null) return locked;
      const claimed = await claim(ordered.length === 0 ? null : fence);
      if (claimed.result !== 'claimed') await this.undo(ordered, holder);
      if (claimed.result !== 'passed') return claimed;
      fence = claimed.fence + 1;
    }
    throw new ForecourtError('POOL_REFUSED', `claims of reservation ${reservationId} collide`);
  }

  /** Deletes the locks of a pool's ended transactions. */
  async deleteEnded(sponsor: string): Promise<void> {
    let taken: number;
    do {
      const unlocked = await takeUnlocked(this.redis, sponsor, DELETED_AT_ONCE);
      await Promise.all(unlocked.map((one) => unlockInput(this.redis, one)));
      taken = unlocked.length;
    } while (taken === DELETED_AT_ONCE);
  }

  /** Renews the locks of a pool's transactions in flight, and restores those that Redis has lost. */
  async renew(sponsor: string): Promise<void> {
    const locked = await listLocked(this.redis, sponsor);
    await Promise.all(locked.map(({ input, holder }) => lockInput(this.redis, input, holder)));
  }

  /** Null when all are locked; otherwise none is. */
  private async lockAll(inputs: readonly string[], holder: InFlight): Promise<Claimed | null> {
    for (const [index, input] of inputs.entries()) {
      const other = await this.lock(input, holder);
      if (other === null) continue;
      await this.undo(inputs.slice(0, index), holder);
      return { result: 'locked', input, digest: other.digest };
    }
    return null;
  }

  /**
   * Null when it is locked, or need not be because the reservation is claimed already; otherwise the claim
   * that has it.
   */
  private async lock(input: string, holder: InFlight): Promise<InFlight | null> {
    const { redis } = this;
    const found = await lockInput(redis, input, holder);
    if (found === null) return null;
    const other = { input, holder: found.holder };
    const state = await abandonClaim(redis, other, found.ageMs >= LEASE_MS);
    if (state === 'over') {
      await unlockInput(redis, other);
      return (await lockInput(redis, input, holder))?.holder ?? null;
    }
    return state === 'held' && excludes(other.holder, holder) ? null : other.holder;
  }

  /** The claim is given up first: another call for the same transaction may be about to make it. */
  private async undo(inputs: readonly string[], holder: InFlight): Promise<void> {
    const { redis } = this;
    const undoOne = async (input: string) => {
      const locked = { input, holder };
      if ((await abandonClaim(redis, locked, true)) === 'over') await unlockInput(redis, locked);
    };
    await Promise.all(inputs.map(undoOne));
  }
}

/**
 * Whether a claim that was made keeps another from being made under its fence, whatever happens to the first.
 */
function excludes(made: InFlight, other: InFlight): boolean {
  return (
    made.sponsor === other.sponsor &&
    made.reservationId === other.reservationId &&
    made.fence >= other.fence
  );
}
