import { type Datatype, type Layout, showType } from './value-type.js';
import { MoveTooLarge } from './move-too-large.js';
import type { MovePackages } from './move-packages.js';
import { RecentValues } from './recent-values.js';
import { LayoutResolver } from './layout-resolver.js';

const CACHE_BYTES = 16 * 2 ** 20;

/** The layouts of types of values. What a package defines never changes, so each is resolved once. */
export class MoveLayouts {
  readonly #known = new RecentValues<ResolvedLayout>(CACHE_BYTES);
  readonly #resolving = new Map<string, Promise<ResolvedLayout>>();

  constructor(private readonly packages: MovePackages) {}

  /**
   * Null for a type that is too large. Rejects with `UnreadableMove`, `PackageMissing` or the errors of the
   * node.
   */
  async of(type: Datatype): Promise<Layout | null> {
    const name = showType(type);
    try {
      return (this.#known.get(name) ?? (await this.resolve(name, type))).layout;
    } catch (error) {
      if (error instanceof MoveTooLarge) return null;
      throw error;
    }
  }

  clear(): void {
    this.#known.clear();
  }

  private async resolve(name: string, type: Datatype): Promise<ResolvedLayout> {
    const started = this.#resolving.get(name);
    if (started) return started;
    const resolving = resolveLayout(type, this.packages);
    this.#resolving.set(name, resolving);
    try {
      const resolved = await resolving;
      this.#known.set(name, resolved);
      return resolved;
    } finally {
      this.#resolving.delete(name);
    }
  }
}

interface ResolvedLayout {
  readonly layout: Layout;
  /** An upper estimate, in bytes. */
  readonly memory: number;
}

/**
 * The layout of a type, from the definitions in the packages' bytecode. Rejects with `MoveTooLarge`,
 * `UnreadableMove`, `PackageMissing` or the errors of the node.
 */
async function resolveLayout(type: Datatype, packages: MovePackages): Promise<ResolvedLayout> {
  const resolver = new LayoutResolver(packages);
  return { layout: await resolver.resolve(type, 0), memory: resolver.memory };
}
