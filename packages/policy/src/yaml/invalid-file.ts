/** A file that cannot be used. The message names the line and the problem. */
export class InvalidFile extends Error {
  override readonly name = 'InvalidFile';

  constructor(
    /** From 1. */
    readonly line: number,
    readonly reason: string,
  ) {
    super(`line ${line}: ${reason}`);
  }
}
