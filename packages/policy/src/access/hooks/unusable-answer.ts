/** A hook is up and has answered, but with nothing that decides: a status, a size or a text that is not agreed on. */
export class UnusableAnswer extends Error {
  override readonly name = 'UnusableAnswer';
}
