import type { GasCoin, Reservation } from './gateway-results.js';
import type { TransactionBytes } from './transaction-bytes.js';

/** The part of the SDK's `Transaction` that this package uses. */
export interface BuildableTransaction {
  setSender(sender: string): void;
  setGasOwner(owner: string): void;
  setGasPayment(coins: GasCoin[]): void;
  setGasBudget(budget: number): void;
  build(options?: {
    readonly client?: unknown;
    readonly onlyTransactionKind?: boolean;
  }): Promise<Uint8Array>;
}

/** Makes the BCS bytes of a whole transaction for which the coins of the reservation pay. */
export type TransactionBuilder = (
  reservation: Reservation,
) => TransactionBytes | Promise<TransactionBytes>;

/** The transaction to be sponsored, with its options. */
export interface TransactionSource {
  /**
   * - A `Transaction` of the SDK; its sender and gas are set.
   * - A function that makes the bytes, for code without the SDK; needs `gasBudget`.
   * - The BCS bytes of a `TransactionKind`, which the gas station completes.
   */
  readonly transaction: BuildableTransaction | TransactionBuilder | TransactionBytes;
  /** The SDK's client of a node, with which a `Transaction` looks up its objects and the gas price. */
  readonly client?: unknown;
  /**
   * In the ledger's smallest unit, 1 to 1999999999. Absent: the gas station determines it and completes the
   * transaction.
   */
  readonly gasBudget?: number | undefined;
  /**
   * How long the coins stay reserved, 1 to 600 seconds; default 60. It includes the time that the user takes
   * to sign.
   */
  readonly durationSecs?: number | undefined;
}
