import type { TransactionEffects } from '@forecourt/ledger';
import { describe, expect, it } from '@jest/globals';
import { listRecentObjects } from './recent-objects.js';

const reference = (objectId: string, version: number | string = 7) => ({
  objectId,
  version: version as number,
  digest: `D${objectId}`,
});
const by = (objectId: string, owner: unknown) => ({ owner, reference: reference(objectId) });
const user = { AddressOwner: '0xuser' };

const effects = (parts: object) =>
  ({ gasObject: by('gas', { AddressOwner: '0xsponsor' }), ...parts }) as TransactionEffects;
const inputs = (...ids: string[]) => ({
  ownedInputs: ids.map((id) => reference(id, 6)),
  receivedInputs: [],
});
const idsOf = (parts: object, ...ids: string[]) =>
  listRecentObjects(effects(parts), inputs(...ids)).map(({ objectId }) => objectId);

describe('listRecentObjects', () => {
  it('lists objects that belong to an address, without the coins that paid for gas', () => {
    const parts = {
      created: [by('made', user), by('shared', { Shared: {} }), by('package', 'Immutable')],
      mutated: [
        by('gas', { AddressOwner: '0xsponsor' }),
        by('car', user),
        by('field', { ObjectOwner: '0x1' }),
      ],
      unwrapped: [by('out', user)],
    };
    expect(idsOf(parts)).toEqual(['car', 'made', 'out']);
  });

  it('lists all inputs, including deleted ones', () => {
    const parts = {
      mutated: [by('child', { ObjectOwner: '0x1' }), by('frozen', 'Immutable')],
      deleted: [reference('deleted'), reference('smashed')],
      wrapped: [reference('wrapped')],
    };
    const ids = idsOf(parts, 'child', 'frozen', 'deleted', 'wrapped');
    expect(ids.sort()).toEqual(['child', 'deleted', 'frozen', 'wrapped']);
  });

  it('gives each object its final version, digest and owner', () => {
    const parts = {
      mutated: [{ owner: user, reference: reference('car', '8') }],
      deleted: [reference('coin')],
    };
    expect(listRecentObjects(effects(parts), inputs('car', 'coin'))).toEqual([
      { ...reference('coin'), owner: null },
      { ...reference('car', 8), owner: user },
    ]);
  });

  it('limits the number of objects per transaction', () => {
    const created = Array.from({ length: 2_000 }, (_, i) => by(`o${i}`, user));
    expect(idsOf({ created })).toHaveLength(512);
  });
});
