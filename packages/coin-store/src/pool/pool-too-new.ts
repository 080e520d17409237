/** A pool is stored in a newer format version than this code reads. */
export class PoolTooNew extends Error {
  override readonly name = 'PoolTooNew';

  constructor(sponsor: string, stored: number, readable: number) {
    super(
      `The pool of sponsor ${sponsor} is stored in version ${stored}, but this release reads versions up to ${readable}. ` +
        'Run the release that wrote it, or a newer one; before a release is rolled back, see docs/operations/upgrades.md.',
    );
  }
}
