import type { MovePackage } from './read-package.js';
import type { MovePackages } from './move-packages.js';

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
