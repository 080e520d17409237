import { describe, expect, it } from '@jest/globals';
import { create, type MessageInitShape } from '@bufbuild/protobuf';
import { EventFilterSchema } from '@forecourt/ledger/node-messages';
import { fromHex } from '@iota/iota-sdk/utils';
import type { EventRecord } from '../engine/engine-interface.js';
import { matchesEvent } from './matches-filter.js';

const ID = `0x${'1'.repeat(64)}`;
const EVENT: EventRecord = {
  id: { txDigest: '', eventSeq: 0 },
  packageId: ID,
  transactionModule: 'caller',
  sender: ID,
  type: `${ID}::origin::Sold<0x2::iota::IOTA>`,
  fields: {},
  bcs: new Uint8Array(),
  timestampMs: 0,
};

function matches(filter: MessageInitShape<typeof EventFilterSchema>['filter']): boolean {
  return matchesEvent(create(EventFilterSchema, { filter }), EVENT);
}

const byType = (structTag: string) => matches({ case: 'moveEventType', value: { structTag } });

describe('a filter of events', () => {
  it('by type takes the very type, in any form of its addresses', () => {
    expect(byType(EVENT.type)).toBe(true);
    const long = `0x${'2'.padStart(64, '0')}`;
    expect(byType(`${ID}::origin::Sold<${long}::iota::IOTA>`)).toBe(true);
    expect(byType(`${ID}::origin::Sold`)).toBe(false);
    expect(byType(`${ID}::origin::Sold<0x2::iota::OTHER>`)).toBe(false);
  });

  it('by module distinguishes the module that emits from the module that defines the type', () => {
    const packageId = { objectId: fromHex(ID) };
    const emits = (module?: string) =>
      matches({ case: 'movePackageAndModule', value: { packageId, module } });
    const defines = (module?: string) =>
      matches({ case: 'moveEventPackageAndModule', value: { packageId, module } });
    expect([emits('caller'), emits('origin'), emits()]).toEqual([true, false, true]);
    expect([defines('caller'), defines('origin'), defines()]).toEqual([false, true, true]);
  });
});
