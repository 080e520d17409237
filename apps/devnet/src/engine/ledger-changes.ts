import type { CheckpointRecord, ExecutedTransaction } from './engine-records.js';

/** Events of the ledger: the name of each, and its listeners' arguments. */
export interface LedgerChanges {
  executed: [transaction: ExecutedTransaction];
  checkpoint: [checkpoint: CheckpointRecord];
  epoch: [epoch: bigint];
  gasPrice: [price: bigint];
  /** The shared clock has a new version; simulations set it too. */
  clock: [timestampMs: number];
  /** The number of transactions before the first remaining one. */
  pruned: [dropped: number];
}
