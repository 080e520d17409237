import type { LedgerCodec } from './ledger-codec.js';
import type { LedgerReader } from './ledger-reader.js';
import type { LedgerSubmitter } from './ledger-submitter.js';

/** One chain: its bytes, its state and its nodes. */
export type Ledger = LedgerCodec & LedgerReader & LedgerSubmitter;

/** The bytes are not a transaction of this ledger; `message` says why. */
export class InvalidTransactionBytes extends Error {
  override readonly name = 'InvalidTransactionBytes';
}

/** No node gave a usable answer; `cause` holds the last failure. */
export class LedgerUnreachable extends Error {
  override readonly name = 'LedgerUnreachable';
}
