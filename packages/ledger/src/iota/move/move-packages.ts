import { PackageMissing, UnreadableMove } from './move-errors.js';
import { isSystemPackage, type MovePackage, readPackage } from './read-package.js';
import { RecentValues } from './recent-values.js';

/** Packages in one call to a node. */
const MOST_TOGETHER = 50;
const CACHE_BYTES = 32 * 2 ** 20;

/** The BCS of packages as objects, null for one that the node does not have, in the order of the ids. */
export type FetchPackages = (ids: readonly string[]) => Promise<readonly (Uint8Array | null)[]>;

/** The packages of a node's ledger, as types of values need them. */
export interface MovePackages {
  /** Rejects with `PackageMissing`, `UnreadableMove` or the errors of the node. */
  get(id: string): Promise<MovePackage>;
  /** A package that has had too few types: a system package as it is now; otherwise null. */
  renew(id: string): Promise<MovePackage | null>;
}

/** Packages that are read once. Those that are asked for in the same turn are read together. */
export class CachedPackages implements MovePackages {
  readonly #known = new RecentValues<MovePackage>(CACHE_BYTES);
  readonly #reading = new Map<string, PromiseWithResolvers<MovePackage>>();
  #waiting: string[] = [];

  constructor(private readonly fetch: FetchPackages) {}

  async get(id: string): Promise<MovePackage> {
    return this.#known.get(id) ?? this.read(id);
  }

  async renew(id: string): Promise<MovePackage | null> {
    return isSystemPackage(id) ? this.read(id) : null;
  }

  clear(): void {
    this.#known.clear();
  }

  private read(id: string): Promise<MovePackage> {
    const started = this.#reading.get(id);
    if (started) return started.promise;
    const reading = Promise.withResolvers<MovePackage>();
    this.#reading.set(id, reading);
    this.#waiting.push(id);
    if (this.#waiting.length === 1) setImmediate(() => void this.readWaiting());
    return reading.promise;
  }

  private async readWaiting(): Promise<void> {
    const ids = this.#waiting;
    this.#waiting = [];
    for (let first = 0; first < ids.length; first += MOST_TOGETHER) {
      await this.readTogether(ids.slice(first, first + MOST_TOGETHER));
    }
  }

  private async readTogether(ids: readonly string[]): Promise<void> {
    const found = await this.fetch(ids).catch((error: unknown) => error as Error);
    for (const [index, id] of ids.entries()) {
      const { resolve, reject } = this.#reading.get(id)!;
      this.#reading.delete(id);
      try {
        if (found instanceof Error) throw found;
        const bytes = found[index] ?? null;
        if (bytes === null) throw new PackageMissing(id);
        const read = readPackage(bytes);
        if (read.id !== id) throw new UnreadableMove(`the ledger node returns ${read.id} as ${id}`);
        this.#known.set(id, read);
        resolve(read);
      } catch (error) {
        reject(error);
      }
    }
  }
}

/** Packages that a transaction has itself published, and those of the ledger. */
export class WithPublished implements MovePackages {
  readonly #published: ReadonlyMap<string, MovePackage>;

  constructor(
    published: readonly MovePackage[],
    private readonly others: MovePackages,
  ) {
    this.#published = new Map(published.map((one) => [one.id, one]));
  }

  async get(id: string): Promise<MovePackage> {
    return this.#published.get(id) ?? this.others.get(id);
  }

  renew(id: string): Promise<MovePackage | null> {
    return this.others.renew(id);
  }
}
