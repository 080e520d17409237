import { describe, expect, it } from '@jest/globals';
import { chooseSeed } from '@forecourt/testing/seed';
import { runDecisions } from './run-decisions.js';

describe('decisions about random transactions', () => {
  it('take little time and memory, and what they allow is executed as their rules demand', async () => {
    const seed = chooseSeed();
    const say = (text: string) => void process.stderr.write(`${text}\n`);
    const report = await runDecisions({ seed, transactions: 1_500, say });
    expect({ seed, ...report }).toMatchObject({ violations: [] });
    for (const rule of ['minted', 'built', 'split', 'balanced']) {
      expect([rule, report.outcomes[rule] ?? 0]).toEqual([rule, expect.any(Number)]);
      expect(report.outcomes[rule]).toBeGreaterThan(5);
    }
    expect(report.executed).toBeGreaterThan(50);
  });
});
