/**
 * Too many calls are in progress and waiting, of all clients together or of the one that causes this call.
 */
export class NoPlace extends Error {
  override readonly name = 'NoPlace';
  override readonly message = 'too many calls are in progress';
}
