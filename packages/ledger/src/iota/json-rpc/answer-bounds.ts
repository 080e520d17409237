/**
 * The largest answers that nodes give: a transaction with the 64 MB of events that the ledger allows, a page
 * of checkpoints of 10 000 transactions each.
 */
const LARGE = 64 * 2 ** 20;
/** The largest others: effects of 512 KiB in binary form, a state with all validators, one checkpoint. */
const USUAL = 8 * 2 ** 20;

const LARGE_METHODS: ReadonlySet<string> = new Set([
  'iota_dryRunTransactionBlock',
  'iota_getCheckpoints',
  'iota_getEvents',
  'iotax_queryEvents',
  'iotax_queryTransactionBlocks',
]);
/** Large with more parts than the effects. */
const PARTED_METHODS: ReadonlySet<string> = new Set([
  'iota_getTransactionBlock',
  'iota_multiGetTransactionBlocks',
]);

/** The most bytes that an answer to this call may have. */
export function answerBound(method: string, params: readonly unknown[]): number {
  if (LARGE_METHODS.has(method)) return LARGE;
  if (!PARTED_METHODS.has(method)) return USUAL;
  const parts = Object.keys(Object(params[1]) as object);
  return parts.every((part) => part === 'showEffects') ? USUAL : LARGE;
}
