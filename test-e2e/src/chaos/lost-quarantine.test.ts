import { describe, expect, it } from '@jest/globals';
import { type Answer, buildSponsored, executeTx, reserved } from '../support/application.js';
import { useSystem } from '../support/use-system.js';
import { RedisFailover } from './redis-failover.js';

const EXECUTE = 'iota_executeTransactionBlock';
let failover: RedisFailover;
const system = useSystem(() => ({
  coinPools: 2,
  reachRedisBy: async (redisUrl) => (failover = await RedisFailover.start(redisUrl)).url,
  // The time limit of the ledger also determines how long the pool is suspended.
  env: { POOL_TARGET_COINS: '10', LEDGER_TIMEOUT_MS: '2000' },
}));

describe('a transaction in quarantine that a replica does not know', () => {
  it('is not refused when the replica serves, nor while coins are suspended', async () => {
    const { application, control } = system;
    await control.fault({ kind: 'refuse', preset: 'equivocated', method: EXECUTE });
    let ask: () => Promise<Answer>;
    await failover.failOver(system.redisUrl, {
      losing: async () => {
        const reservation = await reserved(application);
        const transaction = await buildSponsored(application, reservation);
        ask = () => executeTx(application, reservation, transaction);
        void ask();
        await system.until(async () => (await system.totals()).coins.quarantined === 1n);
      },
      serving: () =>
        system.until(async () => {
          const answer = await ask();
          expect([answer.status, answer.body.error]).toEqual([503, expect.any(String)]);
          return /lost writes/.test(answer.body.error!);
        }),
      losingBack: () => Promise.resolve(),
    });
    await control.clearFaults();
    await system.untilAvailable(10);
    failover.stop();
  });
});
