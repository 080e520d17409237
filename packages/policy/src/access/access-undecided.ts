/** A hook or an OPA server did not answer, so that there is no decision; `reason` is for the log. */
export class AccessUndecided extends Error {
  override readonly name = 'AccessUndecided';

  constructor(
    readonly reason: string,
    options?: { cause?: unknown },
  ) {
    super(reason, options);
  }
}
