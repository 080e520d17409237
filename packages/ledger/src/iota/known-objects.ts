const MOST = 10_000;

/** Ids of shared objects and packages that have been seen on the ledger; the oldest are forgotten. */
export class KnownObjects {
  readonly #ids = new Set<string>();

  has(objectId: string): boolean {
    return this.#ids.has(objectId);
  }

  add(objectId: string): void {
    this.#ids.add(objectId);
    if (this.#ids.size > MOST) this.#ids.delete(this.#ids.values().next().value!);
  }
}
