/** The node does not have a package. */
export class PackageMissing extends Error {
  override readonly name = 'PackageMissing';

  constructor(readonly packageId: string) {
    super(`the ledger node does not have the package ${packageId}`);
  }
}
