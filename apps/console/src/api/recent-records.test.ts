import { describe, expect, it } from '@jest/globals';
import { followList, mergeSponsorships, MOST_NEWEST, RECENT_MS } from './recent-records.js';

type Sponsorship = Parameters<typeof mergeSponsorships>[0][number];

const NOW = 10 * RECENT_MS;
const one = (id: number, over: Partial<Sponsorship> = {}) =>
  ({ reservation_id: id, created_at: NOW, status: 'reserved', ...over }) as Sponsorship;

describe('recent records', () => {
  it('have each sponsorship once, in its latest state, newest first', () => {
    const changed = [one(3), one(2, { status: 'executed' }), one(4)];
    expect(
      mergeSponsorships([one(2), one(1)], changed, NOW).map((it) => [it.reservation_id, it.status]),
    ).toEqual([
      [4, 'reserved'],
      [3, 'reserved'],
      [2, 'executed'],
      [1, 'reserved'],
    ]);
  });

  it('end a month ago and at the newest ones', () => {
    const old = one(0, { created_at: NOW - RECENT_MS - 1 });
    const many = Array.from({ length: 100 }, (_, index) => one(index + 1));
    const merged = mergeSponsorships([old], many, NOW);
    expect([merged.length, merged.at(-1)!.reservation_id]).toEqual([
      MOST_NEWEST,
      101 - MOST_NEWEST,
    ]);
    expect(mergeSponsorships([old], [], NOW)).toEqual([]);
  });
});

describe('a list that is followed', () => {
  it('keeps its rows, in their present states, and counts the new ones', () => {
    const newest = [one(9), one(8), one(7, { status: 'executed' })];
    expect(followList([one(7), one(3)], newest)).toEqual({
      rows: [one(7, { status: 'executed' }), one(3)],
      added: 2,
    });
    expect(followList([one(7), one(3)], [])).toEqual({ rows: [one(7), one(3)], added: 0 });
  });
});
