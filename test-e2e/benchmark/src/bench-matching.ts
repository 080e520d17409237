import { median } from '@forecourt/testing/figures';
import { type EventFilter, readEventFilter } from '@forecourt/contracts';
import { compileFilter, describeEvent, SubscriptionIndex } from '@forecourt/events/event-matching';
import type { Row } from './row.js';
import { address, SAMPLE_PACKAGE, sampleEvent } from './samples.js';

const ROUNDS = 7;
const EVENTS = 2_000;

/**
 * A mix of simple and nested filters over all kinds, and the number of attribute filters in each.
 */
const MIX: readonly unknown[] = [
  { Package: SAMPLE_PACKAGE },
  { Module: 'garage' },
  { MoveEventType: `${SAMPLE_PACKAGE}::garage::CarDriven` },
  { MoveEventField: { path: '/distance', value: 7 } },
  { SenderAddress: address(3) },
  { EventType: 'Checkpoint' },
  { ObjectId: address(1_000_020) },
  { And: [{ SenderAddress: address(1) }, { EventType: 'MoveEvent' }] },
  { Or: [{ EventType: 'Publish' }, { EventType: 'EpochChange' }] },
  {
    All: [
      { Package: SAMPLE_PACKAGE },
      { Any: [{ EventType: 'NewObject' }, { EventType: 'DeleteObject' }] },
      { Or: [{ SenderAddress: address(1) }, { SenderAddress: address(2) }] },
    ],
  },
  {
    And: [
      { MoveEventType: `${SAMPLE_PACKAGE}::garage::CarDriven` },
      { Any: [1, 2, 3].map((value) => ({ MoveEventField: { path: '/distance', value } })) },
    ],
  },
];

const read = (filter: unknown): EventFilter =>
  readEventFilter(filter, 'filter', { maxDepth: 16, maxFilters: 1_000 });

/**
 * Measures the rate at which filters match, and shows that many subscriptions do not slow an event
 * down.
 */
export function benchMatching(): Row[] {
  const events = Array.from({ length: EVENTS }, (_, index) =>
    describeEvent(sampleEvent(index, 20)),
  );
  const filters = MIX.map(read);
  const matchers = filters.map(compileFilter);
  const attributes = filters.reduce((sum, filter) => sum + countAttributes(filter), 0);
  let matched = 0;
  const perSecond = rate(() => {
    for (const event of events) for (const matches of matchers) matched += Number(matches(event));
    return EVENTS * attributes;
  });
  if (matched === 0) throw new Error('nothing matched: the benchmark measures nothing');
  const rows: Row[] = [
    {
      what: `matching, attribute filters of a mix of ${MIX.length}`,
      value: perSecond,
      unit: '/s',
      target: '2 000 000 /s',
      isMet: perSecond >= 2_000_000,
    },
  ];
  const [few, ...many] = [100, 1_000, 10_000].map((count) => ({ count, ...indexRates(count) }));
  for (const { count, indexed, compared } of [few!, ...many]) {
    const share = indexed / few!.indexed;
    rows.push({
      what: `events through the index, ${count} subscriptions of different senders`,
      value: indexed,
      unit: '/s',
      reference: 'a loop over all filters',
      ratio: indexed / compared,
      target: 'flat: 0.5 or more of 100 subscriptions',
      isMet: share >= 0.5,
    });
  }
  return rows;
}

function indexRates(count: number): { indexed: number; compared: number } {
  const filters = Array.from({ length: count }, (_, index) =>
    read({ And: [{ SenderAddress: address(index) }, { EventType: 'MoveEvent' }] }),
  );
  const index = new SubscriptionIndex<number>();
  filters.forEach((filter, subscriber) => index.add(filter, subscriber));
  const events = Array.from({ length: EVENTS }, (_, index) =>
    describeEvent(sampleEvent(index, count)),
  );
  let found = 0;
  const visit = () => void found++;
  const indexed = rate(() => {
    for (const event of events) index.match(event, visit);
    return EVENTS;
  });
  const matchers = filters.map(compileFilter);
  const some = events.slice(0, Math.max(10, Math.floor(200_000 / count)));
  const compared = rate(() => {
    for (const event of some) for (const matches of matchers) if (matches(event)) visit();
    return some.length;
  });
  if (found === 0) throw new Error('nothing matched: the benchmark measures nothing');
  return { indexed, compared };
}

/** Times a second; the median of several rounds of at least 50 ms. */
function rate(work: () => number): number {
  const round = () => {
    const start = performance.now();
    let done = 0;
    while (performance.now() - start < 50) done += work();
    return (done * 1_000) / (performance.now() - start);
  };
  round();
  return median(Array.from({ length: ROUNDS }, round));
}

function countAttributes(filter: EventFilter): number {
  if (!('filters' in filter)) return 1;
  return filter.filters.reduce((sum, part) => sum + countAttributes(part), 0);
}
