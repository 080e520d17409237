import { writeCursor } from '@forecourt/contracts';
import { UnsupportedByUpstream } from './unsupported-by-upstream.js';

/** The first transaction that a pruned node still has. */
interface EarliestPosition {
  readonly checkpoint: number;
  readonly txSeq: number;
}

/** The requested events are older than the node's history. */
export class HistoryPruned extends UnsupportedByUpstream {
  constructor(readonly earliest: EarliestPosition) {
    const { checkpoint, txSeq } = earliest;
    const cursor = writeCursor({ txSeq, eventSeq: 0 });
    super(
      'pruned',
      `History is pruned: the ledger node has nothing before checkpoint ${checkpoint}; the earliest available position is cursor ${cursor} (txSeq ${txSeq})`,
      { earliest: { cursor, checkpoint, txSeq } },
    );
  }
}
