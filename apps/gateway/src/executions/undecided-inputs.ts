import { setTimeout as delay } from 'node:timers/promises';
import { Inject, Injectable } from '@nestjs/common';
import { ForecourtError } from '@forecourt/contracts';
import type { Ledger } from '@forecourt/ledger';
import { LEDGER } from '@forecourt/runtime/ledger';
import { FirstLooks } from './first-looks.js';
import { RefusedExecutions } from './refused-executions.js';

/** Once the node that serves reads is so much further, an object that it does not show does not exist. */
const LONGEST_LAG_MS = 10_000;
/** Pauses between looks, for as long as a call waits. */
const PAUSES_MS: readonly number[] = [200, 300, 500, 1_000, 1_000, 1_000];
/** Calls of one caller that wait at this gateway; further ones are answered at once. */
const MAX_WAITING = 100;
/** For how long one read of the ledger's time serves every call that waits. */
const TIME_AGE_MS = 500;

/** What a look has left open. */
export interface Undecided<T> {
  /** The ledger's own message, should it stay so. */
  readonly message: string;
  /** So much is missing that it is probably made up: nobody waits for it. */
  readonly areMany?: boolean;
  readonly lookAgain: () => Promise<T>;
}

export interface LookedAt {
  readonly caller: string;
  readonly digest: string;
  readonly pausesMs?: readonly number[];
}

/**
 * Waits until the node shows what a transaction uses. Each transaction with undecided inputs counts once against its caller,
 * as if it were refused, until its inputs show, and again with each repeated call that does not wait: made-up objects are bounded, and a node that is behind costs nobody anything.
 */
@Injectable()
export class UndecidedInputs {
  readonly #waiting = new Map<string, number>();
  #time = Promise.resolve(0);
  #askedAt = -Infinity;

  constructor(
    @Inject(LEDGER) private readonly ledger: Pick<Ledger, 'checkpointTime'>,
    private readonly firstLooks: FirstLooks,
    @Inject(RefusedExecutions)
    private readonly refused: Pick<RefusedExecutions, 'count' | 'uncount'>,
  ) {}

  /**
   * The first look that leaves nothing open. Throws INPUT_UNDECIDED when the wait ends before that; REFUSED_BY_LEDGER when the
   * node has advanced by `LONGEST_LAG_MS` since the first look at this transaction, by whatever call; `LedgerUnreachable`; and
   * what `look` throws.
   */
  async decide<T>(
    at: LookedAt,
    look: () => Promise<T>,
    openIn: (looked: T) => Undecided<T> | null,
  ): Promise<T> {
    const { caller, digest } = at;
    const [looked, known] = await Promise.all([look(), this.firstLooks.find(digest)]);
    const open = openIn(looked);
    if (open !== null) return this.wait(at, known, open, openIn);
    if (known !== null) await this.forget(caller, digest);
    return looked;
  }

  private async wait<T>(
    { caller, digest, pausesMs = PAUSES_MS }: LookedAt,
    known: number | null,
    first: Undecided<T>,
    openIn: (looked: T) => Undecided<T> | null,
  ): Promise<T> {
    const since = known ?? (await this.remember(caller, digest));
    const isOver = async () => (await this.time()) - since >= LONGEST_LAG_MS;
    const waiting = this.#waiting.get(caller) ?? 0;
    const mayWait = !first.areMany && waiting < MAX_WAITING;
    const lastLook = known !== null && (await isOver()) ? [0] : [];
    let open = first;
    this.#waiting.set(caller, waiting + 1);
    try {
      for (const pause of [...lastLook, ...(mayWait ? pausesMs : [])]) {
        await delay(pause);
        // The time first: what a node does not show after it, it did not know by then.
        const isLast = await isOver();
        const looked = await open.lookAgain();
        const still = openIn(looked);
        if (still === null) {
          await this.forget(caller, digest);
          return looked;
        }
        open = still;
        if (isLast) {
          await this.refused.count(caller);
          throw new ForecourtError('REFUSED_BY_LEDGER', open.message);
        }
      }
    } finally {
      this.leave(caller);
    }
    // Only the wait limits how often the same call can make the node be read.
    if (!mayWait && known !== null) await this.refused.count(caller);
    throw new ForecourtError('INPUT_UNDECIDED', open.message);
  }

  private async remember(caller: string, digest: string): Promise<number> {
    const { since, isNew } = await this.firstLooks.remember(
      digest,
      await this.ledger.checkpointTime(),
    );
    if (isNew) await this.refused.count(caller);
    return since;
  }

  /** Only one of several calls for the transaction takes back what was counted once. */
  private async forget(caller: string, digest: string): Promise<void> {
    if (await this.firstLooks.forget(digest)) await this.refused.uncount(caller);
  }

  private leave(caller: string): void {
    const left = (this.#waiting.get(caller) ?? 1) - 1;
    if (left > 0) this.#waiting.set(caller, left);
    else this.#waiting.delete(caller);
  }

  private time(): Promise<number> {
    if (performance.now() - this.#askedAt > TIME_AGE_MS) {
      this.#askedAt = performance.now();
      this.#time = this.ledger.checkpointTime();
    }
    return this.#time;
  }
}
