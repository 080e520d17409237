/** Other users could read, or replace, what is kept there; the message names the remedy. */
export class UnsafePlace extends Error {
  override readonly name = 'UnsafePlace';
}
