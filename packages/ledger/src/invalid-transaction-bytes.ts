/** The bytes are not a transaction of this ledger; `message` says why. */
export class InvalidTransactionBytes extends Error {
  override readonly name = 'InvalidTransactionBytes';
}
