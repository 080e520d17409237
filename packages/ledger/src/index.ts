export type { DecodedTransaction } from './decoded-transaction.js';
export type {
  BuiltTransaction,
  FinalTransaction,
  Ledger,
  LedgerStatus,
  OwnedReference,
  TransactionEffects,
} from './ledger.js';
export { InvalidTransactionBytes, LedgerUnreachable } from './ledger-errors.js';
export type { GasCoin, ObjectReference } from './object-reference.js';
export type { Signer } from './signer.js';
export type { Submission } from './submission.js';
