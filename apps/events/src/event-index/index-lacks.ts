import { previousEventId, writeCursor } from '@forecourt/contracts';
import { UnsupportedByUpstream } from '../upstreams/unsupported-by-upstream.js';
import {
  describeCheckpoints,
  eventAt,
  type Hole,
  type HoleReason,
  type Place,
} from './store/indexed-ledger.js';

/** The requested events are older than the index, which begins at the given place. */
export function beforeIndex({ checkpoint, position: cursor }: Place): UnsupportedByUpstream {
  const { txSeq } = eventAt(cursor);
  return new UnsupportedByUpstream(
    'pruned',
    `The index of events begins at checkpoint ${checkpoint}; the earliest available position is cursor ${cursor} (txSeq ${txSeq})`,
    { earliest: { cursor, checkpoint, txSeq } },
  );
}

const REASONS: Readonly<Record<HoleReason, string>> = {
  waiting: 'they are still to be read',
  pruned: 'every ledger node has pruned them',
  inconvertible: 'no ledger node can show them',
  gap: 'no ledger node delivers them',
};

/** The requested events are in a hole of the index. */
export function inHole(hole: Hole): UnsupportedByUpstream {
  const { first, end, reason } = hole;
  const older = previousEventId(eventAt(first.position));
  return new UnsupportedByUpstream(
    'gap',
    `The index of events does not have ${describeCheckpoints(hole)}: ${REASONS[reason]}; events after them begin at cursor ${end.position}`,
    {
      hole: { firstCheckpoint: first.checkpoint, lastCheckpoint: end.checkpoint - 1, reason },
      newerCursor: end.position,
      olderCursor: older && writeCursor(older),
    },
  );
}
