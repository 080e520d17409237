import { percentile } from '@forecourt/testing/figures';
import { type EventCriterion, type EventId } from '@forecourt/contracts';
import { type IndexParts, SERVICE_SESSION } from '@forecourt/events/event-index';
import { say } from '../run-benchmark.js';
import {
  digestOf,
  objectOf,
  packageOf,
  timeOf,
  TRANSACTIONS_PER_CHECKPOINT,
  userOf,
} from './sample-ledger.js';

/** Pages before those that are measured: connections learn the partitions. */
const WARM_UP = 10;

/** Frequent values, whose pages are full everywhere, and rare ones. */
export function criteria(checkpoints: number): readonly (readonly [string, EventCriterion])[] {
  const type = (n: number) => `${packageOf(n)}::market::Swapped`;
  const day = { startTime: timeOf(0), endTime: timeOf(checkpoints) };
  return [
    ['All', { key: 'All' }],
    ['Transaction', { key: 'Transaction', value: digestOf(checkpoints * 4) }],
    ['MoveModule', { key: 'MoveModule', value: { package: packageOf(0), module: 'market' } }],
    ['MoveEvent', { key: 'MoveEvent', value: type(0) }],
    ['MoveEvent, rare', { key: 'MoveEvent', value: type(490) }],
    ['EventType MoveEvent', { key: 'EventType', value: 'MoveEvent' }],
    ['EventType Publish', { key: 'EventType', value: 'Publish' }],
    ['Sender', { key: 'Sender', value: userOf(0) }],
    ['Sender, rare', { key: 'Sender', value: userOf(900_000) }],
    ['Recipient', { key: 'Recipient', value: { AddressOwner: userOf(0) } }],
    ['Object', { key: 'Object', value: objectOf(0) }],
    ['Object, rare', { key: 'Object', value: objectOf(4_900_000) }],
    ['TimeRange', { key: 'TimeRange', value: day }],
  ];
}

export interface PageTimes {
  readonly criterion: string;
  readonly limit: number;
  /** The fewest events that one of the pages had: only pages of equally many can be compared. */
  readonly events: number;
  /** The worst p99 of the first, middle and last pages in both orders, in ms. */
  readonly p99: number;
}

/** Measures pages of every criterion in both orders: the first, one in the middle, and the last. */
export async function benchIndexPages(
  { queries }: IndexParts,
  checkpoints: number,
  rounds: number,
): Promise<readonly PageTimes[]> {
  const found: PageTimes[] = [];
  const middle = {
    txSeq: Math.floor((checkpoints * TRANSACTIONS_PER_CHECKPOINT) / 2),
    eventSeq: 0,
  };
  for (const [name, criterion] of criteria(checkpoints)) {
    say(`  ${name}`);
    for (const limit of [50, 1_000]) {
      let [worst, fewest] = [0, limit];
      for (const descending of [false, true]) {
        // The last page in one order has the events of the first page in the other.
        const opposite = { criterion, cursor: null, limit, descending: !descending };
        const { last } = await readPage(queries, opposite);
        for (const cursor of [null, middle, last]) {
          const times: number[] = [];
          for (let round = -WARM_UP; round < rounds; round++) {
            const began = performance.now();
            const { events } = await readPage(queries, { criterion, cursor, limit, descending });
            if (round >= 0) times.push(performance.now() - began);
            fewest = Math.min(fewest, events);
          }
          worst = Math.max(worst, percentile(times, 0.99));
        }
      }
      found.push({ criterion: name, limit, events: fewest, p99: worst });
    }
  }
  return found;
}

/** A whole page, as the service puts it together: the number of its events, and the last one. */
export async function readPage(
  queries: IndexParts['queries'],
  query: {
    readonly criterion: EventCriterion;
    readonly cursor: EventId | null;
    readonly limit: number;
    readonly descending: boolean;
  },
): Promise<{ readonly events: number; readonly last: EventId | null }> {
  let { cursor } = query;
  let [events, last]: [number, EventId | null] = [0, null];
  for (;;) {
    const limit = query.limit - events;
    const page = await queries.getEvents({ ...query, cursor, limit }, SERVICE_SESSION);
    events += page.data.length;
    last = page.data.at(-1)?.id ?? last;
    if (!page.goesOn || page.nextCursor === null) return { events, last };
    cursor = page.nextCursor;
  }
}
