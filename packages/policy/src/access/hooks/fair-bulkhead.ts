import { FairShares, type Hold, TOKEN_SHARE } from '@forecourt/admission';
import type { Causer } from '../access-subject.js';

/** Too many calls are in progress and waiting, of all callers together or of the one that causes this call. */
export class NoPlace extends Error {
  override readonly name = 'NoPlace';
  override readonly message = 'too many calls are in progress';
}

interface Waiting {
  readonly by: Causer;
  readonly place: Hold;
  readonly start: (running: Hold) => void;
}

/** Bounds concurrent calls of an external service, and shares them among tokens and the users of each token. */
export class FairBulkhead {
  readonly #running: FairShares;
  readonly #waitingPlaces: FairShares;
  readonly #waiting = new Set<Waiting>();

  /** `places`: how many calls may be in progress, and how many more may wait. */
  constructor(places: number) {
    this.#running = new FairShares({ total: places, share: TOKEN_SHARE });
    this.#waitingPlaces = new FairShares({ total: places, share: TOKEN_SHARE });
  }

  hasRoom(by: Causer): boolean {
    return this.#running.hasRoom(pathOf(by)) || this.#waitingPlaces.hasRoom(pathOf(by));
  }

  /** Throws `NoPlace`, and what `call` throws. */
  async run<T>(by: Causer, call: () => Promise<T>): Promise<T> {
    const hold = this.#running.take(pathOf(by)) ?? (await this.wait(by));
    try {
      return await call();
    } finally {
      hold.release();
      this.startWaiting();
    }
  }

  private async wait(by: Causer): Promise<Hold> {
    const place = this.#waitingPlaces.take(pathOf(by));
    if (place === null) throw new NoPlace();
    return new Promise((start) => this.#waiting.add({ by, place, start }));
  }

  /** Starts those whose share allows it, in the order of their arrival. */
  private startWaiting(): void {
    for (const waiting of this.#waiting) {
      const hold = this.#running.take(pathOf(waiting.by));
      if (hold === null) continue;
      this.#waiting.delete(waiting);
      waiting.place.release();
      waiting.start(hold);
    }
  }
}

function pathOf({ caller, user = caller }: Causer): readonly string[] {
  return user === caller ? [caller] : [caller, user];
}
