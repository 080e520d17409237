import { readDecisionFacts, writeDecisionFacts } from '@forecourt/contracts';
import { describe, expect, it } from '@jest/globals';
import { findDecision } from './find-decision.js';
import { aReserved, aTrail, digest, reservedMs } from './stored-sponsorship.test-support.js';

const facts = writeDecisionFacts({
  gasBudget: 5_000_000,
  durationSecs: 60,
  referenceGasPrice: 1_000n,
  largestCost: 6_000_000n,
  isOfAbstractAccount: true,
});

const found = (...lines: [afterMs: number, ...fields: string[]][]) =>
  findDecision(aReserved({ trail: aTrail(...lines) }));

describe('the access decision about a sponsorship', () => {
  it('is that of its last claim', () => {
    const claimed = (afterMs: number, ...more: string[]) =>
      [afterMs, 'claimed', digest, 'req-1', '', 'ours', ...more] as [number, ...string[]];
    const trail = [claimed(5, '1 1 1 1 0'), claimed(10, facts), [20, 'begun']] as const;
    expect(found(...(trail as unknown as [number, ...string[]][]))).toEqual({
      claimedAt: reservedMs + 10,
      facts,
    });
    expect(found(claimed(5, facts), claimed(10))).toBeNull();
    expect(found(claimed(5, 'in another form'))).toBeNull();
    expect(found()).toBeNull();
  });

  it('keeps its facts in one text', () => {
    expect(facts).toBe('5000000 60 1000 6000000 1');
    const read = readDecisionFacts(facts)!;
    expect(writeDecisionFacts(read)).toBe(facts);
    const unknown = { ...read, referenceGasPrice: null, isOfAbstractAccount: false };
    expect(readDecisionFacts(writeDecisionFacts(unknown))).toEqual(unknown);
    for (const text of ['', '1 2 3', '1 2 3 4 2', '1 2 3 4 0 5']) {
      expect(readDecisionFacts(text)).toBeNull();
    }
  });
});
