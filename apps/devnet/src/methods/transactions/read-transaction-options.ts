import { readFlags } from '../../json-rpc/read-params.js';

const OPTIONS = [
  'showInput',
  'showRawInput',
  'showEffects',
  'showRawEffects',
  'showEvents',
  'showObjectChanges',
  'showBalanceChanges',
] as const;

/** The parts of a transaction that a response shows; only its digest by default. */
export type TransactionOptions = Readonly<Record<(typeof OPTIONS)[number], boolean>>;

export const readTransactionOptions = (value: unknown): TransactionOptions =>
  readFlags(value, 'options', OPTIONS);
