import { describe, expect, it } from '@jest/globals';
import { type PagedQuery, readCursor, writeCursor } from './page-cursor.js';

const query: PagedQuery = {
  list: 'sponsorships',
  viewer: { token: 'shop', user: null },
  filters: { from: 1, status: 'executed' },
};
const cursor = writeCursor(query, '487777254309888');

describe('the cursor of a page', () => {
  it('gives the position back to the same query, in whatever order its filters are', () => {
    expect(readCursor(query, cursor)).toBe('487777254309888');
    const turned = { ...query, filters: { status: 'executed', from: 1 } };
    expect(readCursor(turned, cursor)).toBe('487777254309888');
  });

  it('shows no position', () => expect(cursor).not.toContain('487777254309888'));

  it.each<[string, PagedQuery]>([
    ['other values', { ...query, filters: { from: 2, status: 'executed' } }],
    ['fewer filters', { ...query, filters: { from: 1 } }],
    ['the other order', { ...query, order: 'oldest' }],
    ['another list', { ...query, list: 'refusals' }],
    ['another token', { ...query, viewer: { token: 'other', user: null } }],
    ['one user of the token', { ...query, viewer: { token: 'shop', user: '0x1' } }],
    ['every token', { ...query, viewer: { token: null, user: null } }],
  ])('is refused for a query with %s', (_name, other) => {
    expect(() => readCursor(other, cursor)).toThrow(
      expect.objectContaining({
        code: 'INVALID_REQUEST',
        message: expect.stringMatching(/^cursor must be the next_cursor of a page .*; got "/),
      }),
    );
  });

  it.each(['', '0', '-1', '1.5', '1e3', 'x', '9007199254740993', '1 or 1=1', "1'; drop"])(
    'is refused with the made-up position %j',
    (position) => {
      expect(() => readCursor(query, writeCursor(query, position))).toThrow('cursor must be');
    },
  );

  it.each(['', 'x', `${cursor}=`, `${cursor} `, cursor.slice(1), cursor.slice(0, 16)])(
    'is refused as %j',
    (text) => expect(() => readCursor(query, text)).toThrow('cursor must be'),
  );

  it('takes every id that the database can have, and no other', () => {
    const refusals = { ...query, list: 'refusals' } as const;
    const [most, more] = ['9223372036854775807', '9223372036854775808'];
    expect(readCursor(refusals, writeCursor(refusals, most))).toBe(most);
    expect(() => readCursor(refusals, writeCursor(refusals, more))).toThrow('cursor must be');
    expect(() => readCursor(query, writeCursor(query, most))).toThrow('cursor must be');
  });
});
