import { describe, expect, it } from '@jest/globals';
import { chooseSeed } from '@forecourt/testing/seed';
import { countAnswers } from './count-answers.js';
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

  it('are answered by a gateway as its contract says', async () => {
    const seed = chooseSeed();
    const { answers, violations } = await countAnswers(seed, 100);
    expect({ seed, violations }).toEqual({ seed, violations: [] });
    expect(Object.keys(answers)).toEqual(
      expect.arrayContaining(['dry_run_tx 200', 'execute_tx 200', 'execute_tx 403']),
    );
  });
});
