import type { StoredEventRecord } from '@forecourt/contracts';

/** Everything but a Move event's fields. */
const BYTES = 700;
/** The fields as JSON and the base64 text, per base64 character: a byte in a JSON list takes four (`255,`). */
const BYTES_PER_BCS_CHARACTER = 4;

/** An upper estimate of the size of a record's JSON, without serializing it. */
export function estimateRecordBytes({ event }: StoredEventRecord): number {
  const bcs = 'moveEvent' in event ? event.moveEvent.bcs.length : 0;
  return BYTES + BYTES_PER_BCS_CHARACTER * bcs;
}
