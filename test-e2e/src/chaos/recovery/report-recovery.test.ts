import { describe, expect, it } from '@jest/globals';
import type { Recovery } from './recover-once.js';
import { findRecoveryViolations, reportRecovery } from './report-recovery.js';

const recovery = (poolMs: number | null, refusals: readonly string[] = []): Recovery => {
  return { killed: 'Redis', poolMs, callersMs: 5, refusals };
};
const report = (recoveries: readonly Recovery[], faults: readonly string[] = []) => {
  return { recoveries, faults, seconds: 1 };
};
const many = (count: number, poolMs: number) =>
  Array.from({ length: count }, () => recovery(poolMs));

describe('the report of recoveries', () => {
  it('allows one recovery of a hundred to take longer, but not two', () => {
    expect(findRecoveryViolations(report([...many(99, 500), recovery(90_000)]))).toEqual([]);
    expect(findRecoveryViolations(report([...many(98, 500), ...many(2, 12_000)]))).toEqual([
      'p99 of the recovery is 12.0 s',
    ]);
  });

  it('counts a pool that never recovered', () => {
    expect(findRecoveryViolations(report([recovery(null)]))).toEqual([
      'p99 of the recovery is never',
    ]);
  });

  it('names refusals and other faults', () => {
    const bad = report([recovery(1, ['400 not found'])], ['the audit ended with 1: …']);
    expect(findRecoveryViolations(bad)).toEqual([
      'refused after the end of Redis: 400 not found',
      'the audit ended with 1: …',
    ]);
  });

  it('shows the percentiles of each kind of kill', () => {
    const text = reportRecovery(report([...many(9, 1_000), recovery(3_000)]), 'npm run x');
    expect(text).toContain('| Redis | 10 | 1.0 s | 1.0 s | 3.0 s | 3.0 s | 0.0 s |');
  });
});
