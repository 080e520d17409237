/** Decoding would take longer than its bound, which depends on nothing that a caller chooses. */
export class TooMuchEffort extends Error {
  override readonly name = 'TooMuchEffort';
}

/** The work that may still be done for one transaction. A unit is about ten nanoseconds. */
export class Effort {
  #left: number;

  constructor(private readonly most: number) {
    this.#left = most;
  }

  get spent(): number {
    return this.most - this.#left;
  }

  /** Must be called before the work. Throws `TooMuchEffort`, from then on for any work. */
  spend(units: number): void {
    if (units > this.#left) {
      this.#left = 0;
      throw new TooMuchEffort('decoding takes too long');
    }
    this.#left -= units;
  }
}
