import { beforeEach, describe, expect, it } from '@jest/globals';
import type { ForecourtError } from '@forecourt/contracts';
import { LandedTransactions } from './landed-transactions.js';

let reads: string[];
let known: Set<string>;
let landed: LandedTransactions;

beforeEach(() => {
  [reads, known] = [[], new Set(['D'])];
  landed = new LandedTransactions({
    async findTransaction(digest) {
      reads.push(digest);
      return known.has(digest) ? ({ digest, effects: {} } as never) : null;
    },
  });
});

describe('transactions that have landed', () => {
  it('are read once, however often and however many at once they are asked for', async () => {
    const asked = Array.from({ length: 400 }, () => landed.findTransaction('D'));
    expect(await Promise.all(asked)).toEqual(asked.map(() => ({ digest: 'D', effects: {} })));
    await landed.findTransaction('D');
    expect(reads).toEqual(['D']);
  });

  it('are read again as long as the node does not show them', async () => {
    known.clear();
    expect([await landed.findTransaction('D'), await landed.findTransaction('D')]).toEqual([
      null,
      null,
    ]);
    known.add('D');
    expect(await landed.findTransaction('D')).not.toBeNull();
    expect(reads).toHaveLength(3);
  });

  it('are limited for a caller only where they have to be read', async () => {
    await landed.findTransaction('D');
    const ends: (string | undefined)[] = [];
    const count = (caller: string, digest: string) =>
      landed.countRepetition(caller, digest).then(
        () => ends.push('counted'),
        (error: ForecourtError) => ends.push(error.code),
      );
    for (let i = 0; i < 1_200; i++) await count('shop', 'other');
    await count('shop', 'other');
    await count('shop', 'D');
    await count('someone', 'other');
    expect(ends.slice(-4)).toEqual(['counted', 'REFUSED_TOO_OFTEN', 'counted', 'counted']);
  });
});
