import { type EventKind, type StoredEventRecord, writeCursor } from '@forecourt/contracts';
import { describeEvent, ownerKey } from '@forecourt/event-matching';

/** Numbers of the event kinds, as stored. */
export const KIND_NUMBERS: Readonly<Record<EventKind, number>> = {
  MoveEvent: 0,
  Publish: 1,
  TransferObject: 2,
  DeleteObject: 3,
  NewObject: 4,
  EpochChange: 5,
  Checkpoint: 6,
};

/** One column for each attribute of a criterion; null where the kind lacks it. */
export type EventRow = readonly [
  /** The event's cursor. */
  id: number,
  timestamp: number,
  digest: string,
  kind: number,
  /** `<package>::<module>`. */
  module: string | null,
  moveType: string | null,
  sender: string | null,
  recipient: string | null,
  objectId: string | null,
  /** The record as JSON. */
  record: string,
];

export function rowOf(record: StoredEventRecord): EventRow {
  const traits = describeEvent(record.event);
  const { packageId, module, moveEventType, sender, recipient, objectId } = traits;
  return [
    writeCursor(record.id),
    record.timestamp,
    record.txDigest,
    KIND_NUMBERS[traits.kind],
    packageId !== null && module !== null ? moduleKey(packageId, module) : null,
    moveEventType,
    sender,
    recipient && ownerKey(recipient),
    objectId,
    JSON.stringify(record),
  ];
}

export function moduleKey(packageId: string, module: string): string {
  return `${packageId}::${module}`;
}
