/** A hook is up, but its answer is unusable: an unexpected status, too large, or not a decision. */
export class UnusableAnswer extends Error {
  override readonly name = 'UnusableAnswer';
}
