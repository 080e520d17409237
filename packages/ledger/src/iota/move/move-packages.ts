import type { MovePackage } from './read-package.js';

/** The BCS of packages as objects, null for one that the node does not have, in the order of the ids. */
export type FetchPackages = (ids: readonly string[]) => Promise<readonly (Uint8Array | null)[]>;

/** The packages of a node's ledger, as types of values need them. */
export interface MovePackages {
  /** Rejects with `PackageMissing`, `UnreadableMove` or the errors of the node. */
  get(id: string): Promise<MovePackage>;
  /** A package that has had too few types: a system package as it is now; otherwise null. */
  renew(id: string): Promise<MovePackage | null>;
}
