import { previousEventId, writeCursor } from '@forecourt/contracts';
import { UnsupportedByUpstream } from '../../upstreams/upstream-errors.js';
import {
  describeCheckpoints,
  eventAt,
  type Hole,
  type HoleReason,
  type Place,
} from '../store/place.js';

/** The requested events are older than the index. */
export class BeforeIndex extends UnsupportedByUpstream {
  readonly kind = 'pruned';
  readonly data: Readonly<Record<string, unknown>>;

  constructor({ checkpoint, position: cursor }: Place) {
    const { txSeq } = eventAt(cursor);
    super(
      `The index of events begins at checkpoint ${checkpoint}; the earliest available position is cursor ${cursor} (txSeq ${txSeq})`,
    );
    this.data = { earliest: { cursor, checkpoint, txSeq } };
  }
}

const REASONS: Readonly<Record<HoleReason, string>> = {
  waiting: 'they are still to be read',
  pruned: 'every ledger node has pruned them',
  inconvertible: 'no ledger node can show them',
  gap: 'no ledger node delivers them',
};

/** The requested events are in a hole of the index. */
export class InHole extends UnsupportedByUpstream {
  readonly kind = 'gap';
  readonly data: Readonly<Record<string, unknown>>;

  constructor(hole: Hole) {
    const { first, end, reason } = hole;
    super(
      `The index of events does not have ${describeCheckpoints(hole)}: ${REASONS[reason]}; events after them begin at cursor ${end.position}`,
    );
    const older = previousEventId(eventAt(first.position));
    this.data = {
      hole: { firstCheckpoint: first.checkpoint, lastCheckpoint: end.checkpoint - 1, reason },
      newerCursor: end.position,
      olderCursor: older && writeCursor(older),
    };
  }
}
