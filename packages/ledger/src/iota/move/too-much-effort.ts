/** Decoding would take longer than its bound, which depends on nothing that a caller chooses. */
export class TooMuchEffort extends Error {
  override readonly name = 'TooMuchEffort';
}
