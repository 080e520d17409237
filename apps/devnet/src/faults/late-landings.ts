import type { Refusal } from './fault.js';

/** Transactions that execute later, with the refusal that whoever submits them until then is given. */
export class LateLandings {
  readonly #refusals = new Map<string, Refusal>();

  begin(digest: string, refusal: Refusal): void {
    this.#refusals.set(digest, refusal);
  }

  end(digest: string): void {
    this.#refusals.delete(digest);
  }

  /** Null where a submission is treated like any other. */
  refusalOf(digest: string): Refusal | null {
    return this.#refusals.get(digest) ?? null;
  }
}
