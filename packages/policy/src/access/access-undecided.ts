/**
 * The rules cannot decide, because a hook, an OPA server or the ledger did not answer; `reason` is for the
 * log.
 */
export class AccessUndecided extends Error {
  override readonly name = 'AccessUndecided';

  constructor(
    readonly reason: string,
    options?: { cause?: unknown },
  ) {
    super(reason, options);
  }
}
