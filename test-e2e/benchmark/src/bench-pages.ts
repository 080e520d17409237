import { DatabaseSync } from 'node:sqlite';
import { type EventCriterion, type LedgerEvent, readCursor } from '@forecourt/contracts';
import { EventStore } from '@forecourt/devnet/event-store';

const SMALL = 1_000;
const LARGE = 1_000_000;
const PAGE = 1_000;
const SPREAD = 20;
const ROUNDS = 5;
// A thousand rows fit into the cores’ caches and a million do not: the same reads take up to twice
// as long.
const MAX_SLOWER = 0.4;

// In both stores, one of every 20 events has the sender, package, type or object of the query.
const id = (index: number) => `0x${(index + 1).toString(16).padStart(64, '0')}`;
const digest = (index: number) => Buffer.alloc(32, index % SPREAD).toString('base64');

function eventAt(index: number): LedgerEvent {
  const group = index % SPREAD;
  const sender = id(group);
  const origin = { packageId: id(group), transactionModule: 'm', sender };
  const recipient = { AddressOwner: sender };
  if (group % 2 === 0) return { newObject: { ...origin, recipient, objectId: id(100 + group) } };
  const fields = { index: String(index) };
  return { moveEvent: { ...origin, type: `${id(group)}::m::S`, fields, bcs: 'AAAA' } };
}

function fill(count: number): EventStore {
  const store = new EventStore({ kept: count });
  for (let start = 0; start < count; start += 5_000) {
    const length = Math.min(5_000, count - start);
    store.append(
      Array.from({ length }, (_, offset) => {
        const index = start + offset;
        const place = { txSeq: Math.floor(index / 4), eventSeq: index % 4 };
        return {
          timestamp: Math.floor(index / 4),
          txDigest: digest(index),
          id: place,
          event: eventAt(index),
        };
      }),
    );
  }
  return store;
}

const criteria: readonly EventCriterion[] = [
  { key: 'All' },
  { key: 'Transaction', value: digest(1) },
  { key: 'MoveModule', value: { package: id(1), module: 'm' } },
  { key: 'MoveEvent', value: `${id(1)}::m::S` },
  { key: 'EventType', value: 'NewObject' },
  { key: 'Sender', value: id(1) },
  { key: 'Recipient', value: { AddressOwner: id(2) } },
  { key: 'Object', value: id(102) },
  { key: 'TimeRange', value: { startTime: 50, endTime: LARGE } },
];

/** Records per second in pages of at most 1 000, from the store's beginning. */
function recordsPerSecond(store: EventStore, criterion: EventCriterion): number {
  const start = performance.now();
  let records = 0;
  let cursor = null;
  do {
    const page = store.page({ criterion, cursor, limit: PAGE, descending: false });
    records += page.records.length;
    cursor = page.nextCursor === null ? null : readCursor(page.nextCursor, 'cursor');
  } while (performance.now() - start < 150);
  return (records * 1_000) / (performance.now() - start);
}

/** Time that SQLite alone takes for a thousand rows of the same width, by their primary key. */
function bareRecordsPerSecond(): number {
  const database = new DatabaseSync(':memory:');
  database.exec('CREATE TABLE rows (id INTEGER PRIMARY KEY, record TEXT NOT NULL) STRICT; BEGIN');
  const insert = database.prepare('INSERT INTO rows VALUES (?, ?)');
  for (let index = 0; index < 100_000; index++) {
    insert.run(index, JSON.stringify({ id: index, event: eventAt(index) }));
  }
  database.exec('COMMIT');
  const select = database.prepare('SELECT id, record FROM rows WHERE id >= ? ORDER BY id LIMIT ?');
  const start = performance.now();
  let records = 0;
  while (performance.now() - start < 150) records += select.all(records % 90_000, PAGE).length;
  database.close();
  return (records * 1_000) / (performance.now() - start);
}

const median = (values: number[]) => values.sort((a, b) => a - b)[Math.floor(values.length / 2)]!;

const small = fill(SMALL);
const large = fill(LARGE);
const rows = criteria.map((criterion) => {
  const rounds = Array.from({ length: ROUNDS }, () => ({
    bare: bareRecordsPerSecond(),
    small: recordsPerSecond(small, criterion),
    large: recordsPerSecond(large, criterion),
  }));
  const pages = median(rounds.map((round) => round.large)) / PAGE;
  const flat = median(rounds.map((round) => round.large / round.small));
  return {
    what: `pages of 1 000 by ${criterion.key} from a million events`,
    value: pages,
    unit: 'pages/s',
    reference: 'a bare SQLite page by primary key',
    ratio: median(rounds.map((round) => round.large / round.bare)),
    target: `50 pages/s, flat (${flat.toFixed(2)} of a store of a thousand, per record)`,
    isMet: pages >= 50 && flat >= MAX_SLOWER,
  };
});
process.stdout.write(JSON.stringify(rows));
