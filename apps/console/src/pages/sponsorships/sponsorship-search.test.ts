import { describe, expect, it } from '@jest/globals';
import { filtersOf, readSponsorshipSearch } from './sponsorship-search.js';

const NOW = 1_800_000_000_000;

describe('the filters of the list', () => {
  it('keep only texts of known names from an address', () => {
    const given = { q: 42, status: 'executed', outcome: '', sponsor: { a: 1 }, other: 'x' };
    expect(readSponsorshipSearch(given)).toEqual({ q: '42', status: 'executed' });
  });

  it('combine the search box with the others', () => {
    expect(filtersOf({ q: '0xab', outcome: 'failure', period: 'hour' }, NOW)).toEqual({
      sender: '0xab',
      outcome: 'failure',
      from: NOW - 3_600_000,
    });
    expect(filtersOf({ state: 'refused', sponsor: '0x5', token: 'game' }, NOW)).toEqual({
      state: 'refused',
      sponsor: '0x5',
      token: 'game',
    });
    expect(filtersOf({ q: 'shop' }, NOW)).toEqual({ token: 'shop' });
    expect(filtersOf({ order: 'oldest' }, NOW)).toEqual({});
    expect(filtersOf({ q: '0x2::coin' }, NOW)).toEqual({ package: '0x2', module: 'coin' });
  });

  it('ignore a period that does not exist, and find nothing by a text that names nothing', () => {
    expect(filtersOf({ period: 'constructor' }, NOW)).toEqual({});
    expect(filtersOf({ q: '<b>' }, NOW)).toBeNull();
  });
});
