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

/** The parts of an object that a response shows; only its reference by default. */
export type ObjectOptions = Readonly<Record<(typeof OPTIONS)[number], boolean>>;

export const readObjectOptions = (value: unknown): ObjectOptions =>
  readFlags(value, 'options', OPTIONS);
