import { describe, expect, it } from '@jest/globals';
import { plainText, formatTable } from './format-table.js';

describe('text from others', () => {
  it.each([
    ['\u001b[2J\u001b[31mall is well', ' [2J [31mall is well'],
    ['one\nSponsor 0x5', 'one Sponsor 0x5'],
    ['a\u202egnp.exe', 'a gnp.exe'],
    ['\u009b5A', ' 5A'],
    ['plain: 5 % of é, 字, 😀', 'plain: 5 % of é, 字, 😀'],
  ])('%j is shown as %j', (text, expected) => expect(plainText(text)).toBe(expected));

  it('a cell of a table stays in its row', () => {
    expect(formatTable([['reason'], ['a\nb']]).split('\n')).toEqual(['reason', 'a b']);
  });
});
