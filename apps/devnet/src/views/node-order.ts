import type { FullNode } from '../engine/full-node.js';
import type { FaultBoard } from '../faults/fault-board.js';

/**
 * The order in which this node executed transactions, which its index keeps permanently. After `reorder`
 * faults it differs from the ledger's, within an epoch.
 */
export class NodeOrder {
  /** Positions in the ledger's order, as the index has them; null while the two orders are the same. */
  #sequences: number[] | null = null;
  /** Executed, but not in the index yet. */
  #waiting: number[] = [];

  constructor(fullNode: FullNode, faults: FaultBoard) {
    fullNode.changes.on('executed', ({ sequence, data }) => {
      const reorder = faults.peek('reorder');
      // A node executes all transactions of an epoch before the one that ends it.
      const isSystems = data.kind.ProgrammableTransaction === undefined;
      if (isSystems) this.flush();
      if (reorder === null || isSystems) return void this.#sequences?.push(sequence);
      this.#sequences ??= Array.from({ length: sequence }, (_, each) => each);
      this.#waiting.push(sequence);
      if (this.#waiting.length >= reorder.group) this.flush();
    });
    faults.onChange(() => {
      if (faults.peek('reorder') === null) this.flush();
    });
  }

  /** The index's content, oldest first; null while it is the ledger's order. */
  get sequences(): readonly number[] | null {
    return this.#sequences;
  }

  private flush(): void {
    this.#sequences?.push(...this.#waiting.reverse());
    this.#waiting = [];
  }
}
