import { describe, expect, it } from '@jest/globals';
import { describeSearch, readSearch } from './read-search.js';

describe('the search box', () => {
  it.each([
    ['487777254309888', 'reservation 487777254309888'],
    [' 0xdec0 ', 'sender 0xdec0'],
    [
      '7sVqHz5nT1bPTbFqR4r9wGmYkX3cJdL2uEaZ8fQoWxNi',
      'digest 7sVqHz5nT1bPTbFqR4r9wGmYkX3cJdL2uEaZ8fQoWxNi',
    ],
    [`${'A'.repeat(43)}=`, `digest ${'A'.repeat(43)}=`],
    ['0x2::clock', 'calls of 0x2::clock'],
    ['0x2::clock::timestamp_ms', 'calls of 0x2::clock::timestamp_ms'],
    ['shop-1.eu', 'token shop-1.eu'],
  ])('finds by %s: %s', (text, found) => {
    expect(describeSearch(readSearch(text)!)).toBe(found);
  });

  it.each(['', '   ', '<b>', 'two words', '0xzz::a b', '12345678901234567890x!'])(
    'finds nothing by %j',
    (text) => {
      expect(readSearch(text)).toBeNull();
    },
  );
});
