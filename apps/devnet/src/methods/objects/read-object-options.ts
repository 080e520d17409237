import { readFlags } from '../../json-rpc/read-params.js';

const OPTIONS = [
  'showType',
  'showOwner',
  'showPreviousTransaction',
  'showDisplay',
  'showContent',
  'showBcs',
  'showStorageRebate',
] as const;

/** Which parts of an object an answer shows; nothing but its reference unless asked. */
export type ObjectOptions = Readonly<Record<(typeof OPTIONS)[number], boolean>>;

export const readObjectOptions = (value: unknown): ObjectOptions =>
  readFlags(value, 'options', OPTIONS);
