import { TooMuchEffort } from './too-much-effort.js';

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
