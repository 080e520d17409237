import { FairShares, type Hold, TOKEN_SHARE } from './fair-shares.js';

/**
 * Too many calls are in progress and waiting, of all clients together or of the one that causes this call.
 */
export class NoPlace extends Error {
  override readonly name = 'NoPlace';
  override readonly message = 'too many calls are in progress';
}

interface Waiting {
  readonly client: readonly string[];
  readonly start: (running: Hold) => void;
}

interface BulkheadOptions {
  /** How many calls may wait; default: as many as may be in progress. */
  readonly waiting?: number;
  /** The part that one client may hold of what no other one holds; default: that of a token. */
  readonly share?: number;
}

/**
 * Bounds concurrent calls, and shares their places among clients. A client is a path of names from the widest
 * to the narrowest, as for `FairShares`. Calls with an empty path may take all places.
 */
export class FairBulkhead {
  readonly #running: FairShares;
  readonly #waitingPlaces: FairShares;
  readonly #waiting = new Set<Waiting>();

  /** `places`: how many calls may be in progress. */
  constructor(places: number, { waiting = places, share = TOKEN_SHARE }: BulkheadOptions = {}) {
    this.#running = new FairShares({ total: places, share });
    this.#waitingPlaces = new FairShares({ total: waiting, share });
  }

  /** Calls in progress. */
  get running(): number {
    return this.#running.held;
  }

  hasRoom(client: readonly string[]): boolean {
    return this.#running.hasRoom(client) || this.#waitingPlaces.hasRoom(client);
  }

  /** Throws `NoPlace`, also if none is free within `waitMs`, and what `call` throws. */
  async run<T>(
    client: readonly string[],
    call: () => Promise<T>,
    waitMs: number | null = null,
  ): Promise<T> {
    const hold = this.#running.take(client) ?? (await this.wait(client, waitMs));
    try {
      return await call();
    } finally {
      hold.release();
      this.startWaiting();
    }
  }

  private async wait(client: readonly string[], waitMs: number | null): Promise<Hold> {
    const place = this.#waitingPlaces.take(client);
    if (place === null) throw new NoPlace();
    return new Promise((resolve, reject) => {
      const end = () => {
        clearTimeout(timer);
        this.#waiting.delete(waiting);
        place.release();
      };
      const start = (running: Hold) => {
        end();
        resolve(running);
      };
      const giveUp = () => {
        end();
        reject(new NoPlace());
      };
      const timer = waitMs === null ? undefined : setTimeout(giveUp, waitMs);
      const waiting = { client, start };
      this.#waiting.add(waiting);
    });
  }

  /** Starts those whose share allows it, in the order of their arrival. */
  private startWaiting(): void {
    for (const waiting of this.#waiting) {
      if (!this.#running.hasRoom([])) return;
      const hold = this.#running.take(waiting.client);
      if (hold !== null) waiting.start(hold);
    }
  }
}
