interface Waiting {
  readonly take: () => void;
  readonly timer: NodeJS.Timeout;
}

/** A number of places that requests take in turn. */
export class Places {
  #free: number;
  readonly #count: number;
  readonly #waiting = new Set<Waiting>();

  constructor(count: number) {
    this.#free = count;
    this.#count = count;
  }

  get taken(): number {
    return this.#count - this.#free;
  }

  /** False: no place has become free within `waitMs`. */
  take(waitMs: number): Promise<boolean> {
    if (this.#free > 0) {
      this.#free -= 1;
      return Promise.resolve(true);
    }
    return new Promise((resolve) => {
      const waiting: Waiting = {
        take: () => resolve(true),
        timer: setTimeout(() => {
          this.#waiting.delete(waiting);
          resolve(false);
        }, waitMs),
      };
      this.#waiting.add(waiting);
    });
  }

  leave(): void {
    const [next] = this.#waiting;
    if (next === undefined) {
      this.#free += 1;
      return;
    }
    this.#waiting.delete(next);
    clearTimeout(next.timer);
    next.take();
  }
}
