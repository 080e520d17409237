import { FairShares, type Hold } from './fair-shares.js';
import { TOKEN_SHARE } from './limit.js';

/** Too many calls are in progress and waiting, of all clients together or of the one that causes this call. */
export class NoPlace extends Error {
  override readonly name = 'NoPlace';
  override readonly message = 'too many calls are in progress';
}

interface Waiting {
  readonly client: readonly string[];
  readonly place: Hold;
  readonly start: (running: Hold) => void;
}

interface BulkheadOptions {
  /** How many calls may wait; default: as many as may be in progress. */
  readonly waiting?: number;
  /** The part that one client may hold of what no other one holds; default: that of a token. */
  readonly share?: number;
}

/**
 * Bounds concurrent calls, and shares their places among clients. A client is a path of names from the widest to the
 * narrowest, as for `FairShares`.
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

  hasRoom(client: readonly string[]): boolean {
    return this.#running.hasRoom(client) || this.#waitingPlaces.hasRoom(client);
  }

  /** Throws `NoPlace`, and what `call` throws. */
  async run<T>(client: readonly string[], call: () => Promise<T>): Promise<T> {
    const hold = this.#running.take(client) ?? (await this.wait(client));
    try {
      return await call();
    } finally {
      hold.release();
      this.startWaiting();
    }
  }

  private async wait(client: readonly string[]): Promise<Hold> {
    const place = this.#waitingPlaces.take(client);
    if (place === null) throw new NoPlace();
    return new Promise((start) => this.#waiting.add({ client, place, start }));
  }

  /** Starts those whose share allows it, in the order of their arrival. */
  private startWaiting(): void {
    for (const waiting of this.#waiting) {
      const hold = this.#running.take(waiting.client);
      if (hold === null) continue;
      this.#waiting.delete(waiting);
      waiting.place.release();
      waiting.start(hold);
    }
  }
}
