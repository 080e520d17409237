import { HISTORY_ENTRY_VERSION } from '@forecourt/contracts';

/** An entry was written by a later release, which is the first to read it. */
export class EntryTooNew extends Error {
  override readonly name = 'EntryTooNew';

  constructor(version: number) {
    super(`has version ${version}; this release reads versions up to ${HISTORY_ENTRY_VERSION}`);
  }
}
