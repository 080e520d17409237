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

/** Which parts of a transaction an answer shows; nothing but its digest unless asked. */
export type TransactionOptions = Readonly<Record<(typeof OPTIONS)[number], boolean>>;

export const readTransactionOptions = (value: unknown): TransactionOptions =>
  readFlags(value, 'options', OPTIONS);
