import { partial } from '@forecourt/testing/system';
import { assembleIndex, type IndexParts, measureBytes } from '@forecourt/events/event-index';
import { createLogger } from '@forecourt/runtime/service';
import { benchIndexPages, type PageTimes } from './bench-index-pages.js';
import { benchDelays } from './bench-index-delay.js';
import { fillIndex, untilBegun } from './bench-index-writing.js';
import { recordsOf } from './sample-ledger.js';
import { SampleNode } from './sample-node.js';
import type { Row } from '../row.js';
import { say } from '../run-benchmark.js';
import { withDatabase } from '../with-database.js';

const FEW = 100_000;
const QUICK = { events: 300_000, rounds: 10 };
const ROUNDS = 100;
const MIN_RATE = 5_000;
const MAX_RATIO = 1.5;
const MAX_DELAY_MS = 300;
const PAGE_TARGETS_MS: Readonly<Record<number, number>> = { 50: 15, 1_000: 80 };

/** An index of this node that has begun, in an empty database. */
async function beginIndex(databaseUrl: string, node: SampleNode): Promise<IndexParts> {
  const parts = assembleIndex({
    config: partial({
      databaseUrl,
      databaseReadUrl: '',
      databaseConnections: 10,
      indexFrom: 'lowest',
      backfillWorkers: 2,
      retentionDays: 0,
    }),
    nodes: [node],
    followed: () => null,
    replica: 'bench',
    logger: createLogger('bench', 'error'),
  });
  parts.index.onApplicationBootstrap();
  await untilBegun(parts);
  return parts;
}

/** As autovacuum and the checkpointer do soon after so much was written: meanwhile, the disk is theirs. */
async function settle({ database }: IndexParts): Promise<void> {
  for (const command of ['VACUUM ANALYZE', 'CHECKPOINT'])
    await database.primary.pool.query(command);
}

/** Measures an index of so many events, with `isQuick` of fewer: writing, pages, size and delay. */
export async function benchIndex(count: number, isQuick: boolean): Promise<Row[]> {
  const { events, rounds } = isQuick ? QUICK : { events: count, rounds: ROUNDS };
  const sample = Array.from({ length: 1_000 }, (_, index) => recordsOf(index).length);
  const eventsEach = sample.reduce((sum, count) => sum + count) / sample.length;
  const checkpointsOf = (count: number) => Math.ceil(count / eventsEach);
  return withDatabase('events', async (url) => {
    const node = new SampleNode(0);
    const parts = await beginIndex(url, node);
    say(`${FEW} events …`);
    await fillIndex(parts, node, checkpointsOf(FEW));
    await settle(parts);
    const few = await benchIndexPages(parts, checkpointsOf(FEW), rounds);
    say(`${events} events …`);
    const written = await fillIndex(parts, node, checkpointsOf(events));
    const pool = parts.database.primary.pool;
    const bytes = await measureBytes(pool);
    say('pages …');
    await settle(parts);
    const many = await benchIndexPages(parts, checkpointsOf(events), rounds);
    say('delay …');
    // The service itself writes the new checkpoints.
    await parts.index.beforeApplicationShutdown();
    const delays = await benchDelays(url, node.latest);
    const rate = written.events / written.seconds;
    return [
      {
        what: 'events written while a client queries',
        value: rate,
        unit: '/s',
        target: `at least ${MIN_RATE}`,
        isMet: rate >= MIN_RATE,
      },
      { what: 'size of an event with its keys and indexes', value: bytes / events, unit: 'bytes' },
      {
        what: 'from a checkpoint of the node to a subscriber, p99',
        value: delays.subscriber,
        unit: 'ms',
        target: `at most ${MAX_DELAY_MS} ms`,
        isMet: delays.subscriber <= MAX_DELAY_MS,
      },
      { what: 'from a checkpoint of the node to a query, p99', value: delays.query, unit: 'ms' },
      ...many.map((page) => pageRow(page, few)),
    ];
  });
}

function pageRow(page: PageTimes, few: readonly PageTimes[]): Row {
  const { criterion, limit, events, p99 } = page;
  const before = few.find((one) => one.criterion === criterion && one.limit === limit)!;
  const bound = PAGE_TARGETS_MS[limit]!;
  const row = { what: `${limit} events by ${criterion}, p99`, value: p99, unit: 'ms' };
  // Rare values have fuller pages in a larger index.
  if (events !== before.events) {
    return { ...row, target: `at most ${bound} ms`, isMet: p99 <= bound };
  }
  const ratio = p99 / before.p99;
  return {
    ...row,
    ratio,
    reference: `with ${FEW} events, ${before.p99.toFixed(1)} ms`,
    target: `at most ${bound} ms, ratio at most ${MAX_RATIO}`,
    isMet: p99 <= bound && ratio <= MAX_RATIO,
  };
}
