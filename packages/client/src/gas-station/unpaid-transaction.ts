import { toBase64, type TransactionBytes } from './transaction-bytes.js';

/** The content of a transaction without its gas. */
export type UnpaidTransaction =
  | {
      /** BCS bytes of a `TransactionKind`. */
      readonly kind: TransactionBytes;
    }
  | {
      /** BCS bytes of a `TransactionData`, whose gas data are not used. */
      readonly transaction: TransactionBytes;
    };

/** Its form in a request's body. Throws `TypeError` for anything but bytes and base64. */
export function inBody(unpaid: UnpaidTransaction): object {
  return 'kind' in unpaid
    ? { kind_bytes: toBase64(unpaid.kind, 'kind') }
    : { tx_bytes: toBase64(unpaid.transaction, 'transaction') };
}
