import { partial } from '@forecourt/testing/jest';
import {
  type EventCriterion,
  type EventId,
  readCursor,
  type StoredEventRecord,
  writeCursor,
} from '@forecourt/contracts';
import { compileCriterion } from '../event-matching/event-criteria.js';
import { describeEvent } from '../event-matching/event-traits.js';
import { createLogger } from '@forecourt/runtime/service';
import { waitUntil } from '@forecourt/testing/system';
import { afterEach } from '@jest/globals';
import type { EventSource, LedgerIdentity, SourcePage } from '../upstreams/event-source.js';
import { SERVICE_SESSION } from '../upstreams/node-calls.js';
import { assembleIndex, type IndexNeeds, type IndexParts } from './assemble-index.js';
import { type IndexedLedger, readHoles, readLedger } from './store/indexed-ledger.js';
import { address, type TestLedger } from './test-ledger.test-support.js';

const logger = createLogger('test', 'fatal');

const CONFIG = partial<IndexNeeds['config']>({
  databaseUrl: '',
  databaseReadUrl: '',
  databaseConnections: 5,
  indexFrom: 'lowest',
  backfillWorkers: 2,
  retentionDays: 0,
});

export function assemble(
  config: Partial<IndexNeeds['config']>,
  nodes: readonly EventSource[],
  followed: () => LedgerIdentity | null = () => null,
): IndexParts {
  return assembleIndex({
    config: { ...CONFIG, ...config },
    nodes,
    followed,
    replica: 'events-1',
    logger,
  });
}

/** One index that writes, of all tests of a file. */
export function startIndex(
  config: Partial<IndexNeeds['config']>,
  nodes: readonly EventSource[],
): IndexParts {
  const parts = assemble(config, nodes);
  parts.index.onApplicationBootstrap();
  return parts;
}

/** Indexes that write until their test ends. */
export function useIndexes() {
  const started: IndexParts[] = [];
  const stopAll = async (): Promise<void> => {
    await Promise.all(started.splice(0).map(({ index }) => index.beforeApplicationShutdown()));
  };
  afterEach(stopAll);
  const start = (...parameters: Parameters<typeof startIndex>): IndexParts => {
    const parts = startIndex(...parameters);
    started.push(parts);
    return parts;
  };
  return { started, start, stopAll };
}

/** Waits until an index holds everything that a ledger has, without holes. */
export async function untilComplete(
  { database }: IndexParts,
  ledger: TestLedger,
): Promise<IndexedLedger> {
  await waitUntil(
    async () => {
      const { pool } = database.primary;
      const found = await readLedger(pool).catch(() => null);
      if (found?.end.checkpoint !== ledger.latest + 1) return false;
      return (await readHoles(pool)).length === 0;
    },
    { what: 'the complete index' },
  );
  return (await readLedger(database.primary.pool))!;
}

/** All rows of an index as records, in order. */
export async function readRecords({ database }: IndexParts): Promise<StoredEventRecord[]> {
  const { rows } = await database.primary.pool.query<{
    position: number;
    at: number;
    transaction: Buffer;
    event: string;
  }>('SELECT * FROM events.events ORDER BY position');
  return rows.map(({ position, at: timestamp, transaction, event }) => ({
    timestamp,
    txDigest: transaction.toString('base64'),
    id: readCursor(position, 'position'),
    event: JSON.parse(event) as StoredEventRecord['event'],
  }));
}

export interface Paging {
  readonly limit: number;
  readonly descending: boolean;
}

/** Every record of a query, page by page. */
export async function readAll(
  { queries }: IndexParts,
  criterion: EventCriterion,
  { limit, descending }: Paging,
): Promise<StoredEventRecord[]> {
  const found: StoredEventRecord[] = [];
  let cursor: EventId | null = null;
  do {
    const page: SourcePage = await queries.getEvents(
      { criterion, cursor, limit, descending },
      SERVICE_SESSION,
    );
    found.push(...page.data);
    cursor = page.nextCursor;
  } while (cursor !== null);
  return found;
}

/** The records that a query must find. */
export function select(
  records: readonly StoredEventRecord[],
  criterion: EventCriterion,
  descending = false,
): StoredEventRecord[] {
  const matches = compileCriterion(criterion);
  const found = records.filter((record) => matches(record, describeEvent(record.event)));
  return descending ? found.reverse() : found;
}

export function positionsOf(records: readonly StoredEventRecord[]): number[] {
  return records.map(({ id }) => writeCursor(id));
}

/** Criteria of every key, some of which nothing satisfies. */
export function criteriaOf({ records }: TestLedger): EventCriterion[] {
  const middle = records[Math.floor(records.length / 2)]!;
  const packageId = address(0xdec0);
  const kinds = ['MoveEvent', 'Publish', 'TransferObject', 'DeleteObject', 'NewObject'] as const;
  return [
    { key: 'All' },
    { key: 'Transaction', value: middle.txDigest },
    { key: 'Transaction', value: Buffer.alloc(32, 'none').toString('base64') },
    { key: 'MoveModule', value: { package: packageId, module: 'garage' } },
    { key: 'MoveModule', value: { package: packageId, module: 'none' } },
    { key: 'MoveEvent', value: `${packageId}::garage::CarDriven` },
    ...kinds.map((value) => ({ key: 'EventType', value }) as const),
    { key: 'EventType', value: 'EpochChange' },
    { key: 'EventType', value: 'Checkpoint' },
    { key: 'Sender', value: address(1) },
    { key: 'Sender', value: address(0x999) },
    { key: 'Recipient', value: { AddressOwner: address(2) } },
    { key: 'Recipient', value: { Shared: { initial_shared_version: 1 } } },
    { key: 'Object', value: address(0xcafe) },
    {
      key: 'TimeRange',
      value: { startTime: middle.timestamp, endTime: middle.timestamp + 20_000 },
    },
    { key: 'TimeRange', value: { startTime: 1, endTime: 2 } },
    { key: 'TimeRange', value: { startTime: 1, endTime: middle.timestamp } },
    { key: 'TimeRange', value: { startTime: middle.timestamp, endTime: 2e12 } },
  ];
}
