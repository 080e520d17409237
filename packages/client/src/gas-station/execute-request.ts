import type { TransactionBytes } from './transaction-bytes.js';

/** The parts of the result that the gas station returns in addition to the effects, each as the ledger's own JSON. */
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
   * When the gas station answers: once the effects are final (default), or once the node that serves reads also shows
   * the transaction.
   */
  readonly requestType?: 'waitForEffectsCert' | 'waitForLocalExecution';
  readonly options?: ExecutionDetails;
}
