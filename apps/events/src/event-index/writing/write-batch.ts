import { type Cell, copyRows } from '@forecourt/database';
import type { StoredEventRecord } from '@forecourt/contracts';
import { keyOfTransaction, keysOfEvent } from '@forecourt/event-matching';
import type { ClientBase } from 'pg';
import type { CheckpointBatch } from './checkpoint-gatherer.js';
import { hashKey } from '../store/criterion-hash.js';
import { positionOf, positionOfRecord } from '../store/place.js';

/** A mark for at most so many events, besides the one of each batch's beginning. */
const EVENTS_PER_MARK = 1_000;
/** While few events arrive, each checkpoint is a batch: marks are this far apart. */
const MARK_EVERY_MS = 10_000;

/** Copies the rows of a batch into their tables. `lastMarkAt`: the time of the mark before. Returns that of the newest mark. */
export async function writeBatch(
  client: ClientBase,
  batch: CheckpointBatch,
  lastMarkAt: number | null,
): Promise<number | null> {
  const { records } = batch;
  await copyRows(
    client,
    'events.events',
    ['position', 'at', 'transaction', 'event'],
    rows(records),
  );
  // In the order of the index, whose pages are then read once.
  const postings = listPostings(records).sort((a, b) => a.order - b.order);
  await copyRows(
    client,
    'events.postings',
    ['key', 'position'],
    postings.map(({ hash, position }) => [hash, position]),
  );
  const marks = listMarks(batch, lastMarkAt);
  if (marks.length === 0) return lastMarkAt;
  await copyRows(client, 'events.marks', ['position', 'at'], marks);
  return marks.at(-1)![1];
}

function* rows(records: readonly StoredEventRecord[]): Generator<readonly Cell[]> {
  for (const record of records) {
    const { timestamp, txDigest, event } = record;
    const digest = `\\x${Buffer.from(txDigest, 'base64').toString('hex')}`;
    yield [positionOfRecord(record), timestamp, digest, JSON.stringify(event)];
  }
}

/** A key of an event. */
interface Posting {
  readonly hash: string;
  /** The hash, less exactly: to compare texts as numbers takes longer than everything else. */
  readonly order: number;
  readonly position: number;
}

export function listPostings(records: readonly StoredEventRecord[]): Posting[] {
  const postings: Posting[] = [];
  let transaction: number | null = null;
  const add = (key: string, position: number) => {
    const hash = hashKey(key);
    postings.push({ hash, order: Number(hash), position });
  };
  for (const record of records) {
    const position = positionOfRecord(record);
    for (const key of keysOfEvent(record)) add(key, position);
    if (record.id.txSeq === transaction) continue;
    transaction = record.id.txSeq;
    add(keyOfTransaction(record.txDigest), position);
  }
  return postings;
}

/** Beginnings of checkpoints with their times. */
function listMarks(
  { first, records }: CheckpointBatch,
  lastMarkAt: number | null,
): [position: number, at: number][] {
  const marks: [number, number][] = [];
  let begin = first.position;
  let since = 0;
  let lastAt = lastMarkAt;
  for (const { event, timestamp, id } of records) {
    since += 1;
    if (!('checkpoint' in event)) continue;
    if (lastAt === null || since > EVENTS_PER_MARK || timestamp - lastAt >= MARK_EVERY_MS) {
      marks.push([begin, timestamp]);
      lastAt = timestamp;
      since = 0;
    }
    begin = positionOf(id.txSeq + 1);
  }
  return marks;
}
