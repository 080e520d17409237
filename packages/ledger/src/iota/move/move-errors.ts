/** A package, a type or a value does not have the form that the ledger guarantees. */
export class UnreadableMove extends Error {
  override readonly name = 'UnreadableMove';
}

/** A type or a value exceeds a limit that protects this process. */
export class MoveTooLarge extends Error {
  override readonly name = 'MoveTooLarge';
}

/** The node does not have a package. */
export class PackageMissing extends Error {
  override readonly name = 'PackageMissing';

  constructor(readonly packageId: string) {
    super(`the ledger node does not have the package ${packageId}`);
  }
}
