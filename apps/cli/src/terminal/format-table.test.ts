import { describe, expect, it } from '@jest/globals';
import { formatJson, formatTable } from './format-table.js';

describe('output of commands', () => {
  it('tables have aligned columns, numbers to the right', () => {
    const rows = [
      ['state', 'coins'],
      ['available', '60'],
      ['reserved', '-1.5'],
    ];
    expect(formatTable(rows)).toBe('state      coins\navailable     60\nreserved    -1.5');
  });

  it('JSON has large integers as decimal texts', () => {
    expect(formatJson({ balance: 2n ** 64n })).toBe('{"balance":"18446744073709551616"}');
  });
});
