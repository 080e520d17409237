/** No node gave a usable answer; `cause` holds the last failure. */
export class LedgerUnreachable extends Error {
  override readonly name = 'LedgerUnreachable';
  /** Whether a node answered, and the answer cannot be used: malformed, too large, or about another call. */
  get isInvalid(): boolean {
    return this.cause instanceof LedgerUnreachable && this.cause.isInvalid;
  }
}
