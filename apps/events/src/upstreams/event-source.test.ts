import { expect, it } from '@jest/globals';
import type { StoredEventRecord } from '@forecourt/contracts';
import fc from 'fast-check';
import { estimateRecordBytes } from './event-source.js';

const ADDRESS = `0x${'a'.repeat(64)}`;

function recordWith(fields: unknown, type: string): StoredEventRecord {
  const origin = { packageId: ADDRESS, transactionModule: 'm'.repeat(60), sender: ADDRESS };
  return {
    timestamp: 1_790_000_000_000,
    txDigest: 'd'.repeat(44),
    id: { txSeq: 2 ** 40, eventSeq: 1_000 },
    event: { moveEvent: { ...origin, type, fields, bcs: '' } },
  };
}

const sizeOf = (record: StoredEventRecord) => Buffer.byteLength(JSON.stringify(record));

it('never estimates the JSON of a record too small, whatever its fields', () => {
  const characters = ['a', '"', '\\', '\u0001', '\u007f', 'é', '€', '😀', '\ud800'];
  const text = fc.array(fc.constantFrom(...characters)).map((all) => all.join(''));
  const { fields } = fc.letrec<{ fields: unknown }>((tie) => ({
    fields: fc.oneof(
      { maxDepth: 4 },
      fc.constant(null),
      fc.boolean(),
      fc.nat(2 ** 32 - 1),
      text,
      fc.array(tie('fields'), { maxLength: 4 }),
      fc.dictionary(text, tie('fields'), { maxKeys: 4 }),
    ),
  }));
  fc.assert(
    fc.property(fields, fc.nat(2_000), (value, length) => {
      const record = recordWith(value, 't'.repeat(length));
      expect(estimateRecordBytes(record)).toBeGreaterThanOrEqual(sizeOf(record));
    }),
  );
});

it('counts long names of fields, and bytes as numbers, without much more than they take', () => {
  for (const fields of [
    { all: new Array<object>(2_000).fill({ ['n'.repeat(128)]: true }) },
    { addresses: new Array<string>(1_000).fill(ADDRESS) },
    { bytes: new Array<number>(5_000).fill(255) },
  ]) {
    const record = recordWith(fields, `${ADDRESS}::m::S`);
    expect(estimateRecordBytes(record)).toBeLessThan(1.2 * sizeOf(record));
  }
});
