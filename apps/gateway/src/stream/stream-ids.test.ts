import { describe, expect, it } from '@jest/globals';
import { haveReached, isUpTo, latestOf } from './stream-places.js';
import { StreamIds } from './stream-ids.js';

const places = { '0': '1700000000000-0', '63': '1700000000001-12', refusals: '5-1' };
const ids = (...fleetSecrets: string[]) => new StreamIds({ fleetSecrets });

describe('the id of an event', () => {
  it('is read at every gateway, also while the fleet’s secret changes, and shows nothing', () => {
    const id = ids('old').write(places);
    expect(ids('old').read(id)).toEqual(places);
    expect(ids('new', 'old').read(id)).toEqual(places);
    expect(id).toMatch(/^[\w-]+$/);
    expect(Buffer.from(id, 'base64url').toString('latin1')).not.toContain('1700');
    expect(ids('old').write(places)).not.toBe(id);
    expect(ids().read(ids().write({}))).toEqual({});
  });

  it('of another fleet, changed or made up is refused', () => {
    const id = ids('one').write(places);
    const changed = `${id.slice(0, 20)}${id[20] === 'A' ? 'B' : 'A'}${id.slice(21)}`;
    for (const other of [
      ids('two').write(places),
      changed,
      id.slice(4),
      'a',
      '',
      '0',
      '1-1',
      'é',
    ]) {
      expect(() => ids('one').read(other)).toThrow(/^Last-Event-ID must be the id of an event/);
    }
    expect(() => ids('one').read('A'.repeat(9_000))).toThrow('Last-Event-ID');
  });
});

describe('places', () => {
  it('are compared by number', () => {
    expect(isUpTo('9-10', '10-0')).toBe(true);
    expect(isUpTo('10-9', '10-10')).toBe(true);
    expect(isUpTo('10-10', '10-10')).toBe(true);
    expect(isUpTo('10-10', '10-9')).toBe(false);
  });

  it('have reached others in every stream that both name', () => {
    expect(haveReached({ '0': '5-0', '1': '1-0' }, { '0': '5-0', '2': '9-0' })).toBe(true);
    expect(haveReached({ '0': '5-0', '1': '1-0' }, { '0': '4-0', '1': '2-0' })).toBe(false);
    expect(latestOf({ '0': '5-0', '1': '1-0' }, { '0': '4-0', '1': '2-0', '2': '3-0' })).toEqual({
      '0': '5-0',
      '1': '2-0',
      '2': '3-0',
    });
  });
});
