import { type Causer, FairPlaces } from './fair-places.js';

/** Too many calls are in progress and waiting, of everybody or of the one who causes this call. */
export class NoPlace extends Error {
  override readonly name = 'NoPlace';
  override readonly message = 'too many calls are in progress';
}

interface Waiting {
  readonly by: Causer;
  readonly start: () => void;
}

/** Bounds concurrent calls of an external service, and shares them out fairly among those who cause them. */
export class FairBulkhead {
  readonly #running: FairPlaces;
  readonly #waitingPlaces: FairPlaces;
  readonly #waiting = new Set<Waiting>();

  /** As many calls may be in progress, and as many more wait. */
  constructor(places: number) {
    this.#running = new FairPlaces(places);
    this.#waitingPlaces = new FairPlaces(places);
  }

  hasRoom(by: Causer): boolean {
    return this.#running.mayTake(by) || this.#waitingPlaces.mayTake(by);
  }

  /** Throws `NoPlace`, and what `call` throws. */
  async run<T>(by: Causer, call: () => Promise<T>): Promise<T> {
    if (!this.#running.take(by)) await this.wait(by);
    try {
      return await call();
    } finally {
      this.#running.giveBack(by);
      this.startWaiting();
    }
  }

  private wait(by: Causer): Promise<void> {
    if (!this.#waitingPlaces.take(by)) return Promise.reject(new NoPlace());
    return new Promise((resolve) => this.#waiting.add({ by, start: resolve }));
  }

  /** In the order of their arrival, those whose share allows it. */
  private startWaiting(): void {
    for (const waiting of this.#waiting) {
      if (!this.#running.take(waiting.by)) continue;
      this.#waiting.delete(waiting);
      this.#waitingPlaces.giveBack(waiting.by);
      waiting.start();
    }
  }
}
