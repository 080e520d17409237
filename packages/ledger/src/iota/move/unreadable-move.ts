/** A package, a type or a value does not have the form that the ledger guarantees. */
export class UnreadableMove extends Error {
  override readonly name = 'UnreadableMove';
}
