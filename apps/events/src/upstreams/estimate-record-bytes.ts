import type { StoredEventRecord } from '@forecourt/contracts';

/** All but a Move event's fields. */
const BYTES = 700;
/** Of the fields as JSON and the base64 itself, for each of its characters: a byte in a list takes four (`255,`). */
const BYTES_PER_BCS_CHARACTER = 4;

/** Bytes of a record's JSON, rather too many than too few, without writing it. */
export function estimateRecordBytes({ event }: StoredEventRecord): number {
  const bcs = 'moveEvent' in event ? event.moveEvent.bcs.length : 0;
  return BYTES + BYTES_PER_BCS_CHARACTER * bcs;
}
