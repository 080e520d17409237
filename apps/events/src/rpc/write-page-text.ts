import { setImmediate as nextTurn } from 'node:timers/promises';
import { RawJson } from '@forecourt/json-rpc';
import type { WrittenPage } from '../dialects/event-dialect.js';

/** Records that are written in one turn of the event loop: a large page does not delay other clients. */
const RECORDS_PER_TURN = 200;

/** A page as JSON. */
export async function writePageText({ data, nextCursor }: WrittenPage): Promise<RawJson> {
  const parts: string[] = [];
  for (let at = 0; at < data.length; at += RECORDS_PER_TURN) {
    if (at > 0) await nextTurn();
    const records = JSON.stringify(data.slice(at, at + RECORDS_PER_TURN));
    parts.push(records.slice(1, -1));
  }
  return new RawJson(`{"data":[${parts.join(',')}],"nextCursor":${JSON.stringify(nextCursor)}}`);
}
