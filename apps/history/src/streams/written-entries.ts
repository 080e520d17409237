import type { StreamEntry } from './entry-source.js';

/** The result of writing entries into the database. */
export interface WrittenEntries {
  /** They may be deleted from their stream. */
  readonly done: readonly StreamEntry[];
  readonly inserted: number;
  readonly broken: number;
}
