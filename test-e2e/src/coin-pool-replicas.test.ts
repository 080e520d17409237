import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { sponsor } from './application.js';
import { startTestSystem, type TestSystem } from './test-system.js';

const CLIENTS = 16;

let system: TestSystem;
beforeAll(async () => {
  system = await startTestSystem({
    ...{ gateways: 2, coinPools: 2 },
    // While it drains, a replica says that it does not serve; what reaches a closed connection may have been done.
    env: { POOL_TARGET_COINS: '200', SHUTDOWN_DRAIN_MS: '500' },
  });
}, 120_000);
afterAll(() => system?.stop());

describe('two coin-pools under load', () => {
  it('are restarted one after the other, and no client notices', async () => {
    const answered = { transactions: 0 };
    let restarted = false;
    const client = async (number: number) => {
      const application = system.applications[number % system.applications.length]!;
      while (!restarted) {
        const { answer } = await sponsor(application);
        expect([answer.status, answer.body.error]).toEqual([200, null]);
        answered.transactions += 1;
      }
    };
    const more = (count: number) => {
      const target = answered.transactions + count;
      return system.until(async () => answered.transactions >= target);
    };
    const load = Promise.all(Array.from({ length: CLIENTS }, (_, number) => client(number)));
    const restarts = async () => {
      await more(CLIENTS);
      for (const coinPool of system.services('coin-pool')) {
        await coinPool.restart();
        expect(await coinPool.log()).toContain('"msg":"stopped"');
        await more(CLIENTS);
      }
      restarted = true;
    };
    await Promise.all([load, restarts()]);
    await system.settledTotals();
    expect(await system.audit()).toMatchObject({ exitCode: 0 });
  }, 120_000);
});
