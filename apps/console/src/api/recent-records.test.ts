import { describe, expect, it } from '@jest/globals';
import { followList } from './recent-records.js';

type Sponsorship = Parameters<typeof followList>[0][number];

const one = (id: number, over: Partial<Sponsorship> = {}) =>
  ({ reservation_id: id, status: 'reserved', ...over }) as Sponsorship;

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
