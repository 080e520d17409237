/**
 * A submission begins within this time after Redis has confirmed that the coins are bound to its transaction.
 * `ledgerTimeoutMs`: the time limit of a call to a node.
 */
export function submitWithinMs(ledgerTimeoutMs: number): number {
  return ledgerTimeoutMs / 8;
}

/**
 * Duration of a suspension after Redis may have lost writes: longer than any submission whose claim is lost can
 * take to begin and to end, with a quarter to spare.
 */
export function holdMs(ledgerTimeoutMs: number): number {
  return 1.5 * ledgerTimeoutMs;
}
