import { PackageMissing } from './package-missing.js';
import { UnreadableMove } from './unreadable-move.js';
import { isSystemPackage, type MovePackage, readPackage } from './read-package.js';
import { RecentValues } from './recent-values.js';
import type { FetchPackages, MovePackages } from './move-packages.js';

/** Packages in one call to a node. */
const MOST_TOGETHER = 50;
const CACHE_BYTES = 32 * 2 ** 20;

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
