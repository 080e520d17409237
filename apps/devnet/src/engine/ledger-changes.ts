import type { CheckpointRecord, ExecutedTransaction } from './engine-records.js';

/** What happens on the ledger: the name of each event, and what its listeners are told. */
export interface LedgerChanges {
  executed: [transaction: ExecutedTransaction];
  checkpoint: [checkpoint: CheckpointRecord];
  epoch: [epoch: bigint];
  gasPrice: [price: bigint];
  /** The shared clock has a new version; simulations set it too. */
  clock: [timestampMs: number];
  /** The number of transactions before the first that is left. */
  pruned: [dropped: number];
}
