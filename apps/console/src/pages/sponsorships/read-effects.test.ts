import type { LedgerEvent, Owner } from '@forecourt/client';
import { describe, expect, it } from '@jest/globals';
import { describeOwner, readEffects } from './read-effects.js';

const origin = { packageId: '0x2', transactionModule: 'native', sender: '0xa' };
const recordOf = (event: LedgerEvent, eventSeq: number) => ({
  timestamp: 1,
  txDigest: 'D',
  id: { txSeq: 7, eventSeq },
  event,
});
const recipient: Owner = { AddressOwner: '0xb' };

describe('the effects of a transaction', () => {
  it('have each object that its events name, and the events of Move calls', () => {
    const emitted: LedgerEvent = {
      moveEvent: { ...origin, type: '0x5::m::E', fields: {}, bcs: '' },
    };
    const events: LedgerEvent[] = [
      emitted,
      { publish: { sender: '0xa', packageId: '0x5' } },
      { newObject: { ...origin, objectId: '0x6', recipient } },
      {
        transferObject: { ...origin, objectId: '0x7', recipient, version: 3, type: '0x2::coin::C' },
      },
      { deleteObject: { ...origin, objectId: '0x8' } },
      { epochChange: 2 },
      { checkpoint: 9 },
    ];
    const effects = readEffects(events.map(recordOf));
    expect(effects.objects).toEqual([
      { change: 'Published', objectId: '0x5', type: null, owner: null },
      { change: 'Created', objectId: '0x6', type: null, owner: recipient },
      { change: 'Transferred', objectId: '0x7', type: '0x2::coin::C', owner: recipient },
      { change: 'Deleted', objectId: '0x8', type: null, owner: null },
    ]);
    expect(effects.emitted.map(({ event }) => event)).toEqual([emitted]);
  });

  it.each<[Owner, string, string | null]>([
    [{ AddressOwner: '0xb' }, 'address', '0xb'],
    [{ ObjectOwner: '0xc' }, 'object', '0xc'],
    [{ Shared: { initial_shared_version: 1 } }, 'shared', null],
    ['Immutable', 'immutable', null],
  ])('describe the owner %j', (owner, kind, id) => {
    expect(describeOwner(owner)).toEqual({ kind, id });
  });
});
