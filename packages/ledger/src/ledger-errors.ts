/** The bytes are not a transaction of this ledger; `message` says why. */
export class InvalidTransactionBytes extends Error {
  override readonly name = 'InvalidTransactionBytes';
}

/** No node answered with anything that can be used; `cause` holds what happened. */
export class LedgerUnreachable extends Error {
  override readonly name = 'LedgerUnreachable';
}
