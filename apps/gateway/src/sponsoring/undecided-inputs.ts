import { setTimeout as delay } from 'node:timers/promises';
import { Inject, Injectable } from '@nestjs/common';
import { ForecourtError } from '@forecourt/contracts';
import type { Ledger } from '@forecourt/ledger';
import { LEDGER } from '@forecourt/runtime/ledger';
import { FairShares, gatewayLimits, rememberAnswer } from '@forecourt/resilience';
import type { RedisConnection } from '@forecourt/runtime/redis';
import { REDIS } from '@forecourt/runtime/service';
import { RefusalLimit } from './refusal-limit.js';

/** Once the node that serves reads is so much further, an object that it does not show does not exist. */
const LONGEST_LAG_MS = 10_000;
/** Pauses between looks, for as long as a call waits. */
const LOOK_PAUSES_MS: readonly number[] = [200, 300, 500, 1_000, 1_000, 1_000];
/** Calls of one caller that wait at this gateway; further ones are answered at once. */
const MAX_WAITING = gatewayLimits.undecidedWaits.default;
/** Time for which one read of the ledger's time serves every call that waits. */
const TIME_AGE_MS = 500;
/** Repeated calls that come later begin anew. */
const FIRST_LOOK_KEPT_MS = 120_000;
/** A gateway may miss the mark for so long: less than the call that sets it waits. */
const MARK_AGE_MS = 1_000;

/** Exists for as long as any first look does. */
const MARK_KEY = 'fc:first-look:any';
const keyOfFirstLook = (digest: string) => `fc:first-look:${digest}`;

/** The part of a look that the node does not show. */
export interface Undecided<T> {
  /** The ledger's message, should it stay so. */
  readonly message: string;
  /** So much is missing that it is probably made up: no call waits for it. */
  readonly areMany?: boolean;
  readonly lookAgain: () => Promise<T>;
}

export interface InspectedCall {
  readonly caller: string;
  readonly digest: string;
  readonly pausesMs?: readonly number[];
}

/**
 * Waits until the node shows everything that a transaction uses. Each transaction with undecided inputs
 * counts once against its caller, as if it were refused, until its inputs show, and again with each repeated
 * call that does not wait. That bounds made-up objects, and a node that is behind costs no caller anything.
 */
@Injectable()
export class UndecidedInputs {
  readonly #waiting = FairShares.each(MAX_WAITING);
  readonly #time = rememberAnswer(() => this.ledger.checkpointTime(), TIME_AGE_MS);
  /** Whether any first look is remembered: usually none is, and no transaction needs to ask for its own. */
  readonly #isAnyRemembered = rememberAnswer(
    () => this.redis.exists(MARK_KEY).catch(() => 0),
    MARK_AGE_MS,
  );

  constructor(
    @Inject(LEDGER) private readonly ledger: Ledger,
    @Inject(REDIS) private readonly redis: RedisConnection,
    private readonly refusals: RefusalLimit,
  ) {}

  /**
   * Returns the first look that leaves nothing open. Throws INPUT_UNDECIDED when the wait ends before that;
   * REFUSED_BY_LEDGER when the node has advanced by `LONGEST_LAG_MS` since any call's first look at this
   * transaction; `LedgerUnreachable`; and the errors of `look`.
   */
  async decide<T>(
    call: InspectedCall,
    look: () => Promise<T>,
    openIn: (looked: T) => Undecided<T> | null,
  ): Promise<T> {
    const [looked, isAnyRemembered] = await Promise.all([look(), this.#isAnyRemembered()]);
    const open = openIn(looked);
    if (open !== null) {
      return this.wait(call, await this.findFirstLook(call.digest), open, openIn);
    }
    if (isAnyRemembered) await this.forgetFirstLook(call);
    return looked;
  }

  private async wait<T>(
    call: InspectedCall,
    known: number | null,
    first: Undecided<T>,
    openIn: (looked: T) => Undecided<T> | null,
  ): Promise<T> {
    const { caller, pausesMs = LOOK_PAUSES_MS } = call;
    // Counted in the same turn in which it is read: other calls of the caller come and go while this one
    // awaits.
    const hold = this.#waiting.take([caller]);
    const mayWait = hold !== null && !first.areMany;
    try {
      const since = known ?? (await this.rememberFirstLook(call));
      const isOver = async () => (await this.#time()) - since >= LONGEST_LAG_MS;
      const lastLook = known !== null && (await isOver()) ? [0] : [];
      let open = first;
      for (const pause of [...lastLook, ...(mayWait ? pausesMs : [])]) {
        await delay(pause);
        // The time first: an object that a node does not show after it, it did not know by then.
        const isLast = await isOver();
        const looked = await open.lookAgain();
        const still = openIn(looked);
        if (still === null) {
          await this.forgetFirstLook(call);
          return looked;
        }
        open = still;
        if (isLast) {
          await this.refusals.count(caller);
          throw new ForecourtError('REFUSED_BY_LEDGER', open.message);
        }
      }
      // Only the wait limits how often the same call can make the node be read.
      if (!mayWait && known !== null) await this.refusals.count(caller);
      throw new ForecourtError('INPUT_UNDECIDED', open.message);
    } finally {
      hold?.release();
    }
  }

  /**
   * The ledger's time of the fleet's first look at this transaction, because a repeated call may reach
   * another gateway. Null: there was none, its inputs have been decided, or Redis does not answer. Then no
   * transaction is refused for its age.
   */
  private async findFirstLook(digest: string): Promise<number | null> {
    const time = await this.redis.get(keyOfFirstLook(digest)).catch(() => null);
    return time === null ? null : Number(time);
  }

  /** Returns the time of the first look. The call that remembers it counts against its caller. */
  private async rememberFirstLook({ caller, digest }: InspectedCall): Promise<number> {
    const time = await this.ledger.checkpointTime();
    await this.redis.set(MARK_KEY, '1', 'PX', FIRST_LOOK_KEPT_MS).catch(() => null);
    const set = await this.redis
      .set(keyOfFirstLook(digest), String(time), 'PX', FIRST_LOOK_KEPT_MS, 'NX')
      .catch(() => 'failed');
    if (set !== 'OK') return (await this.findFirstLook(digest)) ?? time;
    await this.refusals.count(caller);
    return time;
  }

  /** Only one of several calls for the transaction reverts the one count. */
  private async forgetFirstLook({ caller, digest }: InspectedCall): Promise<void> {
    const deleted = await this.redis.del(keyOfFirstLook(digest)).catch(() => 0);
    if (deleted === 1) await this.refusals.uncount(caller);
  }
}
