import { DatabaseSync, type SQLInputValue, type StatementSync } from 'node:sqlite';
import {
  type EventKind,
  type StoredEventRecord,
  type EventCriterion,
  type EventId,
  type GetEventsRequest,
  type Owner,
} from '@forecourt/contracts';
import { openEvent } from './matches-event.js';

/** Numbers of the event kinds, as stored. */
const KIND_NUMBERS: Readonly<Record<EventKind, number>> = {
  MoveEvent: 0,
  Publish: 1,
  TransferObject: 2,
  DeleteObject: 3,
  NewObject: 4,
  EpochChange: 5,
  Checkpoint: 6,
};

/** One column for each attribute of a criterion; null where the kind lacks it. */
type EventRow = readonly [
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

function rowOf(record: StoredEventRecord): EventRow {
  const [kind, attributes] = openEvent(record.event);
  const { packageId, transactionModule: module, type, sender, recipient, objectId } = attributes;
  return [
    keyOf(record.id),
    record.timestamp,
    record.txDigest,
    KIND_NUMBERS[kind],
    packageId && module ? moduleKey(packageId, module) : null,
    kind === 'MoveEvent' ? type! : null,
    sender ?? null,
    recipient ? ownerText(recipient) : null,
    objectId ?? null,
    JSON.stringify(record),
  ];
}

/** Room for the events of a transaction and for those of the empty checkpoints of some weeks. */
const EVENTS_PER_TRANSACTION = 2 ** 22;

/** A number in the order of the ledger. */
function keyOf({ txSeq, eventSeq }: EventId): number {
  return txSeq * EVENTS_PER_TRANSACTION + Math.min(eventSeq, EVENTS_PER_TRANSACTION - 1);
}

function idOf(key: number): EventId {
  const eventSeq = key % EVENTS_PER_TRANSACTION;
  return { txSeq: (key - eventSeq) / EVENTS_PER_TRANSACTION, eventSeq };
}

function moduleKey(packageId: string, module: string): string {
  return `${packageId}::${module}`;
}

function ownerText(owner: Owner): string {
  if (typeof owner === 'string') return owner;
  if ('Shared' in owner) return `Shared:${owner.Shared.initial_shared_version}`;
  const [[kind, address]] = Object.entries(owner) as [[string, string]];
  return `${kind}:${address}`;
}

/** The type of a Move event without its parameters: that of every instantiation. */
const STRUCT = `substr(move_type, 1, instr(move_type || '<', '<') - 1)`;

/**
 * A row's key is its event's place. Rows are therefore in ledger order, within every index too, and the cost
 * of a page does not depend on the number of rows.
 */
const SCHEMA = `
  CREATE TABLE IF NOT EXISTS events (
    id INTEGER PRIMARY KEY, timestamp INTEGER NOT NULL, digest TEXT NOT NULL, kind INTEGER NOT NULL,
    module TEXT, move_type TEXT, sender TEXT, recipient TEXT, object_id TEXT, record TEXT NOT NULL
  ) STRICT;
  CREATE INDEX IF NOT EXISTS by_digest ON events (digest);
  CREATE INDEX IF NOT EXISTS by_timestamp ON events (timestamp);
  CREATE INDEX IF NOT EXISTS by_kind ON events (kind);
  CREATE INDEX IF NOT EXISTS by_module ON events (module) WHERE module IS NOT NULL;
  CREATE INDEX IF NOT EXISTS by_move_type ON events (move_type) WHERE move_type IS NOT NULL;
  CREATE INDEX IF NOT EXISTS by_struct ON events (${STRUCT}) WHERE move_type IS NOT NULL;
  CREATE INDEX IF NOT EXISTS by_sender ON events (sender) WHERE sender IS NOT NULL;
  CREATE INDEX IF NOT EXISTS by_recipient ON events (recipient) WHERE recipient IS NOT NULL;
  CREATE INDEX IF NOT EXISTS by_object ON events (object_id) WHERE object_id IS NOT NULL;
`;
const INSERT = 'INSERT INTO events VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)';
const FLUSH_MS = 50;
const LARGEST_BATCH = 5_000;
const LAST = Number.MAX_SAFE_INTEGER;

export interface EventStoreOptions {
  /** Database file; absent: in memory. */
  readonly path?: string;
  /** Number of events kept; the oldest are deleted first. */
  readonly kept: number;
}

/** A page whose records are JSON. */
export interface WrittenPage {
  readonly records: readonly string[];
  readonly nextCursor: EventId | null;
}

/** Stores all events with an index for each criterion. */
export class EventStore {
  readonly #database: DatabaseSync;
  readonly #insert: StatementSync;
  readonly #statements = new Map<string, StatementSync>();
  #waiting: StoredEventRecord[] = [];
  #timer: NodeJS.Timeout | null = null;
  #rows: number;

  constructor(private readonly options: EventStoreOptions) {
    this.#database = new DatabaseSync(options.path ?? ':memory:');
    this.#database.exec('PRAGMA journal_mode = WAL; PRAGMA synchronous = NORMAL;');
    this.#database.exec(SCHEMA);
    this.#insert = this.#database.prepare(INSERT);
    this.#rows = Number(this.statement('SELECT count(*) AS rows FROM events').get()!['rows']);
  }

  /**
   * Adds the next events in ledger order. They are written in batches, at the latest before the next query.
   */
  append(records: readonly StoredEventRecord[]): void {
    for (const record of records) this.#waiting.push(record);
    if (this.#waiting.length >= LARGEST_BATCH) return this.flush();
    this.#timer ??= setTimeout(() => this.flush(), FLUSH_MS).unref();
  }

  /** The last stored event; null when there is none. */
  get last(): StoredEventRecord | null {
    this.flush();
    const row = this.statement('SELECT record FROM events ORDER BY id DESC LIMIT 1').get();
    return row === undefined ? null : (JSON.parse(String(row['record'])) as StoredEventRecord);
  }

  /** With `belowTxSeq`, as if the ledger ended before this transaction. */
  page(request: GetEventsRequest & { readonly belowTxSeq?: number }): WrittenPage {
    const { criterion, cursor, limit, descending } = request;
    this.flush();
    const { where, values } = this.conditionOf(criterion);
    const order = descending ? 'DESC' : 'ASC';
    const end =
      request.belowTxSeq === undefined
        ? LAST
        : keyOf({ txSeq: request.belowTxSeq, eventSeq: 0 }) - 1;
    const start = cursor ? keyOf(cursor) : descending ? end : 0;
    const [from, to] = descending ? [0, Math.min(start, end)] : [start, end];
    const sql = `SELECT id, record FROM events WHERE ${where} id BETWEEN ? AND ? ORDER BY id ${order} LIMIT ?`;
    const rows = this.statement(sql).all(...values, from, to, limit + 1) as unknown as {
      readonly id: number;
      readonly record: string;
    }[];
    return {
      records: rows.slice(0, limit).map(({ record }) => record),
      nextCursor: rows[limit] ? idOf(rows[limit].id) : null,
    };
  }

  /** Deletes the events of the transactions before this position. */
  dropBelow(txSeq: number): void {
    this.flush();
    const { changes } = this.statement('DELETE FROM events WHERE id < ?').run(
      keyOf({ txSeq, eventSeq: 0 }),
    );
    this.#rows -= Number(changes);
  }

  close(): void {
    this.flush();
    this.#database.close();
  }

  /** SQLite's query plan for a page of this criterion. */
  explain(criterion: EventCriterion): string[] {
    const { where, values } = this.conditionOf(criterion);
    const sql = `EXPLAIN QUERY PLAN SELECT id, record FROM events WHERE ${where} id >= ? ORDER BY id ASC LIMIT ?`;
    return this.statement(sql)
      .all(...values, 0, 1)
      .map((row) => String(row['detail']));
  }

  private conditionOf(criterion: EventCriterion): { where: string; values: SQLInputValue[] } {
    switch (criterion.key) {
      case 'All':
        return { where: '', values: [] };
      case 'Transaction':
        // The events of its checkpoint are not the transaction's own.
        return {
          where: `digest = ? AND kind < ${KIND_NUMBERS.EpochChange} AND`,
          values: [criterion.value],
        };
      case 'MoveModule':
        return {
          where: 'module = ? AND',
          values: [moduleKey(criterion.value.package, criterion.value.module)],
        };
      case 'MoveEvent':
        return {
          where: criterion.value.includes('<') ? 'move_type = ? AND' : `${STRUCT} = ? AND`,
          values: [criterion.value],
        };
      case 'EventType':
        return { where: 'kind = ? AND', values: [KIND_NUMBERS[criterion.value]] };
      case 'Sender':
        return { where: 'sender = ? AND', values: [criterion.value] };
      case 'Recipient':
        return { where: 'recipient = ? AND', values: [ownerText(criterion.value)] };
      case 'Object':
        return { where: 'object_id = ? AND', values: [criterion.value] };
      case 'TimeRange': {
        // Time never decreases along the ledger, so a time range is a range of rows.
        const [from, to] = this.rowsWithin(criterion.value.startTime, criterion.value.endTime);
        return { where: 'id >= ? AND id <= ? AND', values: [from, to] };
      }
    }
  }

  private rowsWithin(startTime: number, endTime: number): [number, number] {
    const sql = (order: string, comparison: string) =>
      `SELECT id FROM events WHERE timestamp ${comparison} ? ORDER BY timestamp ${order}, id ${order} LIMIT 1`;
    const first = this.statement(sql('ASC', '>=')).get(startTime);
    const last = this.statement(sql('DESC', '<=')).get(endTime);
    return first && last ? [Number(first['id']), Number(last['id'])] : [1, 0];
  }

  private statement(sql: string): StatementSync {
    let statement = this.#statements.get(sql);
    if (!statement) this.#statements.set(sql, (statement = this.#database.prepare(sql)));
    return statement;
  }

  private flush(): void {
    if (this.#timer) clearTimeout(this.#timer);
    this.#timer = null;
    if (this.#waiting.length === 0) return;
    this.#database.exec('BEGIN');
    for (const record of this.#waiting) this.#insert.run(...rowOf(record));
    this.#rows += this.#waiting.length;
    this.#waiting = [];
    this.deleteOldest();
    this.#database.exec('COMMIT');
  }

  private deleteOldest(): void {
    const beyond = this.#rows - this.options.kept;
    // In batches of one percent, so that not every write deletes.
    if (beyond <= this.options.kept / 100) return;
    this.statement(
      'DELETE FROM events WHERE id <= (SELECT id FROM events ORDER BY id LIMIT 1 OFFSET ?)',
    ).run(beyond - 1);
    this.#rows -= beyond;
  }
}
