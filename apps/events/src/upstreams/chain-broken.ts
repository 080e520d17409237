import { UpstreamFailed } from './upstream-failed.js';
import type { SealedCheckpoint } from './sealed-checkpoint.js';

/**
 * A checkpoint does not continue the one before: the node serves another ledger than before, or its address
 * leads to several.
 */
export class ChainBroken extends UpstreamFailed {
  constructor({ number }: SealedCheckpoint, before: SealedCheckpoint) {
    super(
      `Checkpoint ${number} of the ledger node does not continue checkpoint ${before.number}, ${before.digest}: the node serves another ledger, or its address leads to several nodes`,
    );
  }
}
