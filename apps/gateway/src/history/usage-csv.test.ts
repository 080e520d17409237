import { describe, expect, it } from '@jest/globals';
import { formatUsage } from './usage-csv.js';

const figures = { transactions: 2, failed: 1, refused: 0, gas: '-12000' };
const report = { from: 0, to: 1, rows: [], total: figures, corrections: [] };

describe('usage as CSV', () => {
  it('has a heading, and a line for each row, each with a line end', () => {
    const rows = [
      { day: '2026-11-25', token: 'shop', ...figures },
      { day: '2026-11-26', token: 'ops.eu', ...figures },
    ];
    expect(formatUsage({ ...report, group_by: ['day', 'token'], rows })).toBe(
      'day,token,transactions,failed,refused,gas\r\n' +
        '"2026-11-25","shop",2,1,0,-12000\r\n' +
        '"2026-11-26","ops.eu",2,1,0,-12000\r\n',
    );
  });

  it('has a line for each month', () => {
    const rows = ['2026-11', '2026-12'].map((month) => ({ month, token: 'shop', ...figures }));
    expect(formatUsage({ ...report, group_by: ['month', 'token'], rows })).toBe(
      'month,token,transactions,failed,refused,gas\r\n' +
        '"2026-11","shop",2,1,0,-12000\r\n' +
        '"2026-12","shop",2,1,0,-12000\r\n',
    );
  });

  it('has the figures alone without groups, and the heading alone without rows', () => {
    expect(formatUsage({ ...report, group_by: [], rows: [figures] })).toBe(
      'transactions,failed,refused,gas\r\n2,1,0,-12000\r\n',
    );
    expect(formatUsage({ ...report, group_by: ['user'] })).toBe(
      'user,transactions,failed,refused,gas\r\n',
    );
  });

  it.each([
    ['-2+3', `"'-2+3"`],
    ['=1', `"'=1"`],
    ['@a', `"'@a"`],
    ['+1', `"'+1"`],
    ['\t=1', `"'\t=1"`],
    ['a"b', '"a""b"'],
    ['a-b', '"a-b"'],
    ['', '""'],
  ])('gives a spreadsheet no formula: %j is written as %s', (token, written) => {
    const csv = formatUsage({ ...report, group_by: ['token'], rows: [{ token, ...figures }] });
    expect(csv.split('\r\n')[1]).toBe(`${written},2,1,0,-12000`);
  });
});
