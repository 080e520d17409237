import type { TransactionBytes } from './transaction-bytes.js';

/** What the gas station returns besides the effects, each as the ledger's own JSON. */
export interface ExecutionDetails {
  readonly showEvents?: boolean;
  readonly showObjectChanges?: boolean;
  readonly showBalanceChanges?: boolean;
  readonly showInput?: boolean;
}

export interface ExecuteRequest {
  readonly reservationId: number;
  /** BCS bytes of the whole transaction (`TransactionData`). */
  readonly transaction: TransactionBytes;
  /** The sender's signature, in base64. */
  readonly signature: string;
  /**
   * How long the gas station waits: until the effects are final (default), or also until the node that serves reads shows
   * the transaction.
   */
  readonly requestType?: 'waitForEffectsCert' | 'waitForLocalExecution';
  readonly options?: ExecutionDetails;
}
