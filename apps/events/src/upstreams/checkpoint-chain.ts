import type { SealedCheckpoint, LinkedCheckpoint } from './sealed-checkpoint.js';
import { ChainBroken } from './chain-broken.js';

/** Throws `ChainBroken` unless `next` names the digest of `before`. */
export function requireLink(before: SealedCheckpoint, next: LinkedCheckpoint): void {
  if (next.previousDigest !== before.digest) throw new ChainBroken(next, before);
}

/**
 * The checkpoints that were delivered, in order. Each names the digest of the one before, so that whichever
 * node or connection delivers the next one, it is of the same ledger.
 */
export class CheckpointChain {
  #last: SealedCheckpoint | null;

  /**
   * `last`: the checkpoint to continue; null: any. `onLinked` is called with each checkpoint before it is
   * delivered.
   */
  constructor(
    last: SealedCheckpoint | null,
    private readonly onLinked: (checkpoint: SealedCheckpoint) => void = () => undefined,
  ) {
    this.#last = last;
  }

  /** The last one that was delivered completely. */
  get last(): SealedCheckpoint | null {
    return this.#last;
  }

  /** Throws `ChainBroken` unless these checkpoints, which follow one another, continue the chain. */
  link(checkpoints: readonly LinkedCheckpoint[]): void {
    let before = this.#last;
    for (const checkpoint of checkpoints) {
      if (before) requireLink(before, checkpoint);
      before = checkpoint;
    }
    for (const checkpoint of checkpoints) this.onLinked(checkpoint);
  }

  /** The checkpoint was delivered completely. */
  delivered(checkpoint: SealedCheckpoint): void {
    this.#last = checkpoint;
  }
}
