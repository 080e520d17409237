import { describe, expect, it } from '@jest/globals';
import { sponsor } from '../support/application.js';
import { useSystem } from '../support/use-system.js';

/** Above 2^53 and odd: a double cannot hold it. */
const HUGE = 2n ** 53n + 2n ** 40n + 1n;

describe('a coin of more than 2^53', () => {
  const system = useSystem({
    sponsorFunds: [HUGE],
    env: { POOL_TARGET_COINS: '1', POOL_MIN_COINS: '1', POOL_TARGET_BALANCE: String(HUGE / 2n) },
  });

  it('is reserved, charged and returned to the last unit', async () => {
    const before = await system.settledTotals();
    expect(before.balance).toBe(HUGE);
    for (let i = 0; i < 3; i++) {
      const { answer } = await sponsor(system.application);
      expect(answer.body.effects?.status.status).toBe('success');
    }
    const after = await system.settledTotals();
    const { totalBalance } = await system.ledger.getBalance({ owner: system.sponsor });
    expect(after.balance).toBe(BigInt(totalBalance));
    expect(after.balance).toBeLessThan(HUGE);
    expect(await system.differences()).toEqual([]);
  });
});
