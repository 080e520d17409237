/** An error that the user can fix. A command that throws it shows its message and ends with 1. */
export class Failure extends Error {
  override readonly name = 'Failure';
}
