/**
 * The format version of stored pools. A format is new when processes that do not know it would misread it; a key or
 * a field that they may leave out is not a new format. For a possible rollback, one release reads a new format
 * before the next one writes it.
 */
export const WRITTEN_VERSION = 1;

/** The newest version that this code reads. */
export const READABLE_VERSION = 1;

/** A pool is stored in a newer format version than this code reads. */
export class PoolTooNew extends Error {
  override readonly name = 'PoolTooNew';

  constructor(sponsor: string, stored: number) {
    super(
      `The pool of sponsor ${sponsor} is stored in version ${stored}, but this release reads versions up to ${READABLE_VERSION}. ` +
        'Run the release that wrote it, or a newer one; before a release is rolled back, see docs/operations/upgrades.md.',
    );
  }
}
