import type { Refusal } from './fault.js';

/** Transactions that execute later, with the refusal of submissions until then. */
export class LateLandings {
  readonly #refusals = new Map<string, Refusal>();

  begin(digest: string, refusal: Refusal): void {
    this.#refusals.set(digest, refusal);
  }

  end(digest: string): void {
    this.#refusals.delete(digest);
  }

  /** Null for a submission without such a refusal. */
  refusalOf(digest: string): Refusal | null {
    return this.#refusals.get(digest) ?? null;
  }
}
