const MAX_KNOWN = 10_000;

/**
 * Packages and shared objects that were seen on the ledger; the oldest are dropped. A package never
 * changes and is never deleted. A shared object may be deleted, and validators remember that only
 * until the epoch ends, so it is known only in the epoch in which it was seen.
 */
export class KnownObjects {
  readonly #packages = new Map<string, true>();
  readonly #shared = new Map<string, { readonly since: number; readonly epoch: bigint }>();

  isPackage(id: string): boolean {
    return this.#packages.has(id);
  }

  addPackage(id: string): void {
    put(this.#packages, id, true);
  }

  /** The version at which the object became shared; null when it is not known to be shared. */
  sharedSince(id: string, epoch: bigint): number | null {
    const known = this.#shared.get(id);
    return known?.epoch === epoch ? known.since : null;
  }

  addShared(id: string, since: number, epoch: bigint): void {
    put(this.#shared, id, { since, epoch });
  }
}

function put<T>(map: Map<string, T>, id: string, value: T): void {
  map.delete(id);
  map.set(id, value);
  if (map.size > MAX_KNOWN) map.delete(map.keys().next().value!);
}
