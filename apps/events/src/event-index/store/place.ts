import {
  type EventId,
  EVENTS_PER_TRANSACTION,
  readCursor,
  type StoredEventRecord,
  writeCursor,
} from '@forecourt/contracts';

/** The beginning of a checkpoint. */
export interface Place {
  readonly checkpoint: number;
  /** Of its first event: as a cursor, an integer that is ordered as the ledger is. */
  readonly position: number;
}

export type HoleReason = 'waiting' | 'pruned' | 'inconvertible' | 'gap';

/** Checkpoints from `first` to before `end` that the index does not have. */
export interface Hole {
  readonly first: Place;
  readonly end: Place;
  /** `waiting`: they are still to be read; otherwise why no node delivers them. */
  readonly reason: HoleReason;
  readonly detail: string;
  readonly attempts: number;
}

/** The greatest position. */
export const LAST_POSITION = Number.MAX_SAFE_INTEGER - 1;

/** The position of a transaction's first event. */
export function positionOf(txSeq: number): number {
  return txSeq * EVENTS_PER_TRANSACTION;
}

export function eventAt(position: number): EventId {
  return readCursor(position, 'position');
}

/** The place after a checkpoint, whose last event is `record`. */
export function placeAfter({ id }: StoredEventRecord, checkpoint: number): Place {
  return { checkpoint: checkpoint + 1, position: positionOf(id.txSeq + 1) };
}

export function positionOfRecord({ id }: StoredEventRecord): number {
  return writeCursor(id);
}

export function describeCheckpoints({ first, end }: Pick<Hole, 'first' | 'end'>): string {
  const last = end.checkpoint - 1;
  return last <= first.checkpoint
    ? `checkpoint ${first.checkpoint}`
    : `checkpoints ${first.checkpoint} to ${last}`;
}
