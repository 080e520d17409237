import type { TransactionBytes } from './transaction-bytes.js';

/**
 * The parts of the result that the gas station returns in addition to the effects, each as the ledger's own
 * JSON.
 */
export interface ExecutionDetails {
  readonly showEvents?: boolean | undefined;
  readonly showObjectChanges?: boolean | undefined;
  readonly showBalanceChanges?: boolean | undefined;
  readonly showInput?: boolean | undefined;
}

export interface ExecuteRequest {
  readonly reservationId: number;
  /** BCS bytes of the whole transaction (`TransactionData`). */
  readonly transaction: TransactionBytes;
  /** The sender's signature, in base64. */
  readonly signature: string;
  /**
   * When the gas station answers: once the effects are final (default), or once the node that serves reads
   * also shows the transaction.
   */
  readonly requestType?: 'waitForEffectsCert' | 'waitForLocalExecution' | undefined;
  readonly options?: ExecutionDetails | undefined;
}
