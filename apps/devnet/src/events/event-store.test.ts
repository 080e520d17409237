import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import {
  canonicalAddress,
  compareEventIds,
  type EventCriterion,
  type EventId,
  eventKinds,
  type LedgerEvent,
  type Owner,
  type StoredEventRecord,
} from '@forecourt/contracts';
import fc from 'fast-check';
import { EventStore, type WrittenPage } from './event-store.js';

const ids = ['0xa', '0xb', '0xc'].map((short) => canonicalAddress(short)!);
const digests = [1, 2, 3].map((byte) => Buffer.alloc(32, byte).toString('base64'));
const types = ids.map((id) => `${id}::m::S`);

const id = fc.constantFrom(...ids);
const owner: fc.Arbitrary<Owner> = fc.oneof(
  id.map((AddressOwner) => ({ AddressOwner })),
  id.map((ObjectOwner) => ({ ObjectOwner })),
  fc.constant('Immutable' as const),
  fc.constant({ Shared: { initial_shared_version: 1 } }),
);
const origin = fc.record({
  packageId: id,
  sender: id,
  transactionModule: fc.constantFrom('m', 'native'),
});
const event: fc.Arbitrary<LedgerEvent> = fc.oneof(
  fc
    .tuple(origin, fc.constantFrom(...types))
    .map(([o, type]) => ({ moveEvent: { ...o, type, fields: {}, bcs: '' } })),
  fc.record({ sender: id, packageId: id }).map((publish) => ({ publish })),
  fc
    .tuple(origin, owner, id)
    .map(([o, recipient, objectId]) => ({ newObject: { ...o, recipient, objectId } })),
  fc.tuple(origin, owner, id).map(([o, recipient, objectId]) => ({
    transferObject: { ...o, recipient, objectId, version: 2, type: 'T' },
  })),
  fc.tuple(origin, id).map(([o, objectId]) => ({ deleteObject: { ...o, objectId } })),
  fc.nat(9).map((epochChange) => ({ epochChange })),
  fc.nat(9).map((checkpoint) => ({ checkpoint })),
);
const ledger = fc
  .array(fc.tuple(fc.nat(2), fc.array(event, { maxLength: 4 }), fc.constantFrom(...digests)), {
    maxLength: 25,
  })
  .map((transactions) => {
    let timestamp = 100;
    return transactions.flatMap(([later, events, txDigest], txSeq) => {
      timestamp += later;
      const time = timestamp;
      return events.map((one, eventSeq): StoredEventRecord => ({
        timestamp: time,
        txDigest,
        id: { txSeq, eventSeq },
        event: one,
      }));
    });
  });
const criterion: fc.Arbitrary<EventCriterion> = fc.oneof(
  fc.constant({ key: 'All' as const }),
  fc.constantFrom(...digests).map((digest) => ({ key: 'Transaction' as const, value: digest })),
  fc.tuple(id, fc.constantFrom('m', 'native')).map(([packageId, module]) => ({
    key: 'MoveModule' as const,
    value: { package: packageId, module },
  })),
  fc.constantFrom(...types).map((type) => ({ key: 'MoveEvent' as const, value: type })),
  fc.constantFrom(...eventKinds).map((kind) => ({ key: 'EventType' as const, value: kind })),
  id.map((address) => ({ key: 'Sender' as const, value: address })),
  owner.map((one) => ({ key: 'Recipient' as const, value: one })),
  id.map((objectId) => ({ key: 'Object' as const, value: objectId })),
  fc.tuple(fc.nat(60), fc.nat(60)).map(([a, b]) => ({
    key: 'TimeRange' as const,
    value: { startTime: 90 + Math.min(a, b), endTime: 90 + Math.max(a, b) },
  })),
);

/** The table of criteria in docs/events.md, applied literally to the record's JSON. */
function satisfies({ timestamp, txDigest, event: one }: StoredEventRecord, wanted: EventCriterion) {
  const [[kind, attributes]] = Object.entries(one) as [[string, Record<string, unknown>]];
  switch (wanted.key) {
    case 'All':
      return true;
    case 'Transaction':
      return txDigest === wanted.value && kind !== 'checkpoint' && kind !== 'epochChange';
    case 'MoveModule':
      return (
        attributes['packageId'] === wanted.value.package &&
        attributes['transactionModule'] === wanted.value.module
      );
    case 'MoveEvent':
      return (
        kind === 'moveEvent' &&
        [attributes['type'], String(attributes['type']).split('<')[0]].includes(wanted.value)
      );
    case 'EventType':
      return kind.toLowerCase() === wanted.value.toLowerCase();
    case 'Sender':
      return attributes['sender'] === wanted.value;
    case 'Recipient':
      return JSON.stringify(attributes['recipient']) === JSON.stringify(wanted.value);
    case 'Object':
      return attributes['objectId'] === wanted.value;
    case 'TimeRange':
      return timestamp >= wanted.value.startTime && timestamp <= wanted.value.endTime;
  }
}

function readAll(store: EventStore, wanted: EventCriterion, limit: number, descending: boolean) {
  const found: StoredEventRecord[] = [];
  let cursor: EventId | null = null;
  do {
    const page: WrittenPage = store.page({ criterion: wanted, cursor, limit, descending });
    found.push(...page.records.map((record) => JSON.parse(record) as StoredEventRecord));
    cursor = page.nextCursor;
  } while (cursor !== null);
  return found;
}

const txSeqOf = (text: string) => (JSON.parse(text) as StoredEventRecord).id.txSeq;

describe('EventStore', () => {
  it('agrees with a naive implementation of the criteria, with any page size and in both directions', () => {
    fc.assert(
      fc.property(
        ledger,
        criterion,
        fc.integer({ min: 1, max: 7 }),
        fc.boolean(),
        (records, wanted, limit, descending) => {
          const store = new EventStore({ kept: 1_000 });
          store.append(records);
          const expected = records.filter((record) => satisfies(record, wanted));
          if (descending) expected.reverse();
          expect(readAll(store, wanted, limit, descending)).toEqual(expected);
          store.close();
        },
      ),
      { numRuns: 300 },
    );
  });

  it('returns every item once while new events arrive', () => {
    const store = new EventStore({ kept: 1_000 });
    const record = (txSeq: number): StoredEventRecord => ({
      timestamp: txSeq,
      txDigest: digests[0]!,
      id: { txSeq, eventSeq: 0 },
      event: { checkpoint: txSeq },
    });
    store.append([0, 1, 2].map(record));
    const criterionAll = { key: 'All' } as const;
    const first = store.page({ criterion: criterionAll, cursor: null, limit: 2, descending: true });
    expect(first.records.map(txSeqOf)).toEqual([2, 1]);
    store.append([3, 4].map(record));
    const cursor = first.nextCursor;
    const rest = store.page({ criterion: criterionAll, cursor, limit: 2, descending: true });
    expect(rest.records.map(txSeqOf)).toEqual([0]);
    expect(rest.nextCursor).toBeNull();
    store.close();
  });

  it('deletes the oldest beyond its limit', () => {
    const store = new EventStore({ kept: 100 });
    for (let txSeq = 0; txSeq < 500; txSeq++) {
      store.append([
        {
          timestamp: 1,
          txDigest: digests[0]!,
          id: { txSeq, eventSeq: 0 },
          event: { checkpoint: 1 },
        },
      ]);
      if (txSeq % 7 === 0) expect(store.last?.id).toEqual({ txSeq, eventSeq: 0 });
    }
    const kept = readAll(store, { key: 'All' }, 1_000, false);
    expect(kept.length).toBeGreaterThanOrEqual(100);
    expect(kept.length).toBeLessThanOrEqual(101);
    expect(kept.at(-1)!.id).toEqual({ txSeq: 499, eventSeq: 0 });
    store.close();
  });

  describe('EventStore on a large ledger', () => {
    let store: EventStore;
    beforeAll(() => {
      store = new EventStore({ kept: 100_000 });
      const [records] = fc.sample(ledger, { numRuns: 1, seed: 7 });
      store.append(records!.toSorted((a, b) => compareEventIds(a.id, b.id)));
    });
    afterAll(() => store.close());

    it.each<EventCriterion>([
      { key: 'All' },
      { key: 'Transaction', value: digests[0]! },
      { key: 'MoveModule', value: { package: ids[0]!, module: 'm' } },
      { key: 'MoveEvent', value: types[0]! },
      { key: 'EventType', value: 'NewObject' },
      { key: 'Sender', value: ids[0]! },
      { key: 'Recipient', value: 'Immutable' },
      { key: 'Object', value: ids[0]! },
      { key: 'TimeRange', value: { startTime: 0, endTime: 200 } },
    ])('reads $key from an index, in order', (wanted) => {
      const plan = store.explain(wanted).join('; ');
      expect(plan).toMatch(/^SEARCH events USING (INDEX by_|INTEGER PRIMARY KEY)/);
      expect(plan).not.toMatch(/TEMP B-TREE|SCAN/);
    });
  });
});
