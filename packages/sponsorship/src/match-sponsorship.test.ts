import type { RecordFilters } from '@forecourt/contracts';
import { describe, expect, it } from '@jest/globals';
import { formSponsorship } from './form-sponsorship.js';
import { maySee, passesFilters } from './match-sponsorship.js';
import {
  anEntry,
  aTrail,
  aTransaction,
  codec,
  digest,
  full,
  reservedMs,
  sender,
  sponsor,
} from './stored-sponsorship.test-support.js';

async function aSponsorship() {
  const transaction = await aTransaction((tx) => {
    tx.moveCall({ target: '0x2::m::f' });
    tx.moveCall({ target: '0x3::n::g' });
  });
  const caller = `shop:${full('a')}`;
  const trail = aTrail([5, 'refused', digest, 'no']);
  return formSponsorship(codec, sponsor, anEntry({ caller, digest, transaction, trail }));
}

describe('the filters of a list', () => {
  const passing: RecordFilters[] = [
    {},
    { from: reservedMs, to: reservedMs },
    { token: 'shop', user: full('a'), sender, sponsor, status: 'expired', digest },
    { package: full('2') },
    { package: full('3'), module: 'n', function: 'g' },
    { error: 'REFUSED_BY_LEDGER' },
    { state: 'refused' },
  ];
  it.each(passing)('let a sponsorship pass that has them all: %j', async (filters) => {
    expect(passesFilters(await aSponsorship(), filters)).toBe(true);
  });

  const others: RecordFilters[] = [
    { from: reservedMs + 1 },
    { to: reservedMs - 1 },
    { token: 'other' },
    { user: full('b') },
    { sender: full('b') },
    { sponsor: full('b') },
    { status: 'released' },
    { outcome: 'success' },
    { digest: 'D2' },
    { error: 'NO_COINS' },
    { state: 'expired' },
    { state: 'executed' },
    { function: 'h' },
    { package: full('2'), function: 'g' },
    { token: 'shop', status: 'released' },
  ];
  it.each(others)('keep out a sponsorship that differs in one: %j', async (filters) => {
    expect(passesFilters(await aSponsorship(), filters)).toBe(false);
  });
});

describe('a viewer', () => {
  it.each([
    [{ token: null, user: null }, true],
    [{ token: 'shop', user: null }, true],
    [{ token: 'shop', user: full('a') }, true],
    [{ token: 'shop', user: full('b') }, false],
    [{ token: 'other', user: null }, false],
    [{ token: 'other', user: full('a') }, false],
  ])('%j sees only records of the same token and user: %s', async (viewer, sees) => {
    expect(maySee(viewer, await aSponsorship())).toBe(sees);
  });
});
