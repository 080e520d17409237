import type { EventCriterion, EventId } from '@forecourt/contracts';
import { type IndexParts, SERVICE_SESSION } from '@forecourt/events/event-index';
import { percentile } from '../row.js';
import { digestOf, objectOf, packageOf, timeOf, userOf } from './sample-ledger.js';

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
  const last = checkpoints * 8;
  for (const [name, criterion] of criteria(checkpoints)) {
    for (const limit of [50, 1_000]) {
      let worst = 0;
      for (const descending of [false, true]) {
        for (const share of [null, 0.5, 0.998]) {
          const times: number[] = [];
          for (let round = 0; round < rounds; round++) {
            const txSeq = share === null ? 0 : Math.floor(last * share) - round;
            const at = descending ? last - txSeq : txSeq;
            const cursor = share === null ? null : { txSeq: at, eventSeq: 0 };
            const began = performance.now();
            await readPage(queries, { criterion, cursor, limit, descending });
            times.push(performance.now() - began);
          }
          worst = Math.max(worst, percentile(times, 0.99));
        }
      }
      found.push({ criterion: name, limit, p99: worst });
    }
  }
  return found;
}

/** A whole page, as the service puts it together. */
export async function readPage(
  queries: IndexParts['queries'],
  query: {
    readonly criterion: EventCriterion;
    readonly cursor: EventId | null;
    readonly limit: number;
    readonly descending: boolean;
  },
): Promise<number> {
  let { cursor, limit } = query;
  for (;;) {
    const page = await queries.getEvents({ ...query, cursor, limit }, SERVICE_SESSION);
    limit -= page.data.length;
    const next = page.nextCursor;
    if (!page.goesOn || next === null) return query.limit - limit;
    cursor = { txSeq: Math.floor(next / 2 ** 14), eventSeq: next % 2 ** 14 };
  }
}
