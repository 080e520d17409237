import type { Indicator } from '@forecourt/runtime/service';
import type { IndexParts } from './assemble-index.js';
import { measureIndex } from './store/measure-index.js';

/** Injection token of the index's indicator; null without an index. */
export const INDEX_INDICATOR = Symbol('INDEX_INDICATOR');

/**
 * Whether the database of the index answers and holds the ledger that the node serves, how far the index reaches and what is
 * missing in it.
 */
export function indexIndicator({ database, progress, queries }: IndexParts): Indicator {
  return {
    name: 'index',
    check: async () => {
      await queries.requireSameLedger();
      const { firstCheckpoint, lastCheckpoint, missing } = await measureIndex(
        database.primary.pool,
      );
      const { isWriter, upstream, otherLedger } = progress;
      return { firstCheckpoint, lastCheckpoint, missing, isWriter, upstream, otherLedger };
    },
  };
}
