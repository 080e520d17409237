/** A type or a value exceeds a limit that protects this process. */
export class MoveTooLarge extends Error {
  override readonly name = 'MoveTooLarge';
}
