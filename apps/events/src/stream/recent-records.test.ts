import { describe, expect, it } from '@jest/globals';
import { compareEventIds, type EventId } from '@forecourt/contracts';
import fc from 'fast-check';
import { SharedRecord } from './shared-record.js';
import { RecentRecords } from './recent-records.js';

const record = (id: EventId) =>
  new SharedRecord({ timestamp: 1, txDigest: '', id, event: { checkpoint: 1 } });

describe('RecentRecords', () => {
  it('returns all records from any position on, or null if some are no longer kept', () => {
    fc.assert(
      fc.property(
        fc.uniqueArray(fc.tuple(fc.nat(40), fc.nat(3)), {
          selector: ([txSeq, eventSeq]) => `${txSeq}:${eventSeq}`,
        }),
        fc.integer({ min: 1, max: 9 }),
        fc.record({ txSeq: fc.nat(45), eventSeq: fc.nat(4) }),
        (places, kept, from) => {
          const ids = places
            .map(([txSeq, eventSeq]) => ({ txSeq, eventSeq }))
            .sort(compareEventIds);
          const recent = new RecentRecords({ txSeq: 0, eventSeq: 0 }, kept);
          for (const id of ids) recent.add(record(id));
          const expected = ids.filter((id) => compareEventIds(id, from) >= 0);
          const found = recent.since(from)?.map((shared) => shared.record.id);
          if (found) expect(found).toEqual(expected);
          // The promised number of records is always kept.
          else expect(expected.length).toBeGreaterThan(kept);
        },
      ),
      { numRuns: 1_000 },
    );
  });
});
