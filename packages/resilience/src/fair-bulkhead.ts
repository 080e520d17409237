import { FairShares, type Hold, TOKEN_SHARE } from './fair-shares.js';
import { TokenBuckets } from './token-buckets.js';
import { NoPlace } from './no-place.js';

export interface BulkheadOptions {
  /** How many calls may wait; default: as many as may be in progress. */
  readonly waiting?: number;
  /** The part that one client may hold of what no other one holds; default: that of a token. */
  readonly share?: number;
  /** The most calls of one client in progress; default: without limit. */
  readonly perClient?: number;
  /**
   * How long a place stays empty after a call, as a multiple of its duration. The last free place is then
   * left to light clients, so that they do not wait for the calls of heavy ones to end.
   */
  readonly rest?: { readonly light: number; readonly heavy: number };
}

interface CallOptions {
  /** The longest wait; default: without limit. */
  readonly waitMs?: number;
  /** Ends the wait when it aborts. */
  readonly signal?: AbortSignal;
  /** Continues what the client has begun: before its other calls. */
  readonly isNext?: boolean;
}

/**
 * A client is light while its calls run for less than this many milliseconds per second, after at most such a
 * burst.
 */
const LIGHT_MS_PER_SECOND = 100;
const LIGHT_BURST_MS = 200;
/** A heavy client that stops asking is light again after 20 s at the latest. */
const MAX_DEBT_MS = 2_000;

interface Waiting {
  readonly client: readonly string[];
  readonly start: (running: Hold) => void;
}

/**
 * Bounds concurrent calls, and shares their places among clients, which take turns. A client is a path of
 * names from the widest to the narrowest, as for `FairShares`. Calls with an empty path may take all places.
 */
export class FairBulkhead {
  readonly #running: FairShares;
  readonly #waitingPlaces: FairShares;
  /** By client, in the order in which their turns come. */
  readonly #waiting = new Map<string, Waiting[]>();
  /** Milliseconds for which calls have run; a client whose bucket is empty is heavy. */
  readonly #runningTime = new TokenBuckets({
    capacity: LIGHT_BURST_MS,
    perSecond: LIGHT_MS_PER_SECOND,
    maxDebt: MAX_DEBT_MS,
  });

  /** `places`: how many calls may be in progress. */
  constructor(
    private readonly places: number,
    private readonly options: BulkheadOptions = {},
  ) {
    const { waiting = places, share = TOKEN_SHARE, perClient = Infinity } = options;
    this.#running = new FairShares({ total: places, share, perClient });
    this.#waitingPlaces = new FairShares({ total: waiting, share });
  }

  /** Calls in progress. */
  get running(): number {
    return this.#running.held;
  }

  /** Calls that wait for their turn. */
  get waiting(): number {
    return this.#waitingPlaces.held;
  }

  hasRoom(client: readonly string[]): boolean {
    return this.#running.hasRoom(client) || this.#waitingPlaces.hasRoom(client);
  }

  /** Throws `NoPlace`, also if none is free within `waitMs`; the signal's reason; and what `call` throws. */
  async run<T>(
    client: readonly string[],
    call: () => Promise<T>,
    options: CallOptions = {},
  ): Promise<T> {
    options.signal?.throwIfAborted();
    const hold = this.take(client) ?? (await this.wait(client, options));
    const startedAt = performance.now();
    const release = () => {
      hold.release();
      this.startWaiting();
    };
    try {
      return await call();
    } finally {
      const restMs = this.restAfter(client, performance.now() - startedAt);
      if (restMs > 0) setTimeout(release, restMs).unref();
      else release();
    }
  }

  private take(client: readonly string[]): Hold | null {
    const isLast = this.running >= Math.max(1, this.places - 1);
    if (this.options.rest && isLast && this.#runningTime.isEmpty(keyOf(client))) return null;
    return this.#running.take(client);
  }

  private restAfter(client: readonly string[], ranMs: number): number {
    const { rest } = this.options;
    if (rest === undefined) return 0;
    this.#runningTime.charge(keyOf(client), ranMs);
    return ranMs * (this.#runningTime.isEmpty(keyOf(client)) ? rest.heavy : rest.light);
  }

  private async wait(
    client: readonly string[],
    { waitMs, signal, isNext = false }: CallOptions,
  ): Promise<Hold> {
    const place = this.#waitingPlaces.take(client);
    if (place === null) throw new NoPlace();
    const { promise, resolve, reject } = Promise.withResolvers<Hold>();
    const end = () => {
      clearTimeout(timer);
      signal?.removeEventListener('abort', onAbort);
      place.release();
    };
    const start = (running: Hold) => {
      end();
      resolve(running);
    };
    const giveUp = (reason: unknown) => {
      this.leave(waiting);
      end();
      reject(reason);
    };
    const onAbort = () => giveUp(signal?.reason);
    signal?.addEventListener('abort', onAbort);
    const timer = waitMs === undefined ? undefined : setTimeout(giveUp, waitMs, new NoPlace());
    const waiting = { client, start };
    const own = this.#waiting.get(keyOf(client)) ?? [];
    this.#waiting.set(keyOf(client), own);
    if (isNext) own.unshift(waiting);
    else own.push(waiting);
    return promise;
  }

  private leave(waiting: Waiting): void {
    const key = keyOf(waiting.client);
    const own = this.#waiting.get(key)!;
    own.splice(own.indexOf(waiting), 1);
    if (own.length === 0) this.#waiting.delete(key);
  }

  /** Starts those whose share allows it, in turns of their clients. */
  private startWaiting(): void {
    for (const [key, own] of this.#waiting) {
      if (!this.#running.hasRoom([])) return;
      const waiting = own[0]!;
      const hold = this.take(waiting.client);
      if (hold === null) continue;
      own.shift();
      // To the end of the map, whose order is that of the turns.
      this.#waiting.delete(key);
      if (own.length > 0) this.#waiting.set(key, own);
      waiting.start(hold);
    }
  }
}

const keyOf = (client: readonly string[]) => client.join('\n');
