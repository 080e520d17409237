import { describe, expect, it } from '@jest/globals';
import { useStarted } from '@forecourt/testing/jest';
import { startRedisSentinels } from '@forecourt/testing/redis';
import { buildSponsored, executeTx, reserveGas, type Reservation } from '../support/application.js';
import { useSystem } from '../support/use-system.js';

const CLIENTS = 4;
const BEFORE = 20;
const AFTER = 40;

const sentinels = useStarted(startRedisSentinels, (running) => running.stop());
const system = useSystem(() => ({
  gateways: 1,
  coinPools: 1,
  executors: 1,
  redis: { url: sentinels.urls.join(',') },
  env: {
    REDIS_MODE: 'sentinel',
    CLAIM_LEASE_MS: '2000',
    // A replica that became the master may have missed writes: the pool is suspended first, for a time that
    // follows from this.
    LEDGER_TIMEOUT_MS: '2000',
  },
}));

/** Repeats the call as long as it answers 503. */
const untilServed = async (ask: () => ReturnType<typeof reserveGas>) => {
  let answer = await ask();
  await system.until(async () => {
    if (answer.status === 503) answer = await ask();
    return answer.status !== 503;
  });
  return answer;
};

describe('every service on a Redis that sentinels watch', () => {
  it('continues with the new master when the old one is killed under load, and the audit is exact', async () => {
    const { application } = system;
    const before = await system.settledTotals();
    let executed = 0;
    const served = Promise.withResolvers<void>();
    const client = async () => {
      while (executed < BEFORE + AFTER) {
        const { status, body } = await untilServed(() => reserveGas(application));
        expect(status).toBe(200);
        const reservation = body.result as unknown as Reservation;
        const transaction = await buildSponsored(application, reservation);
        const answer = await untilServed(() => executeTx(application, reservation, transaction));
        expect([answer.status, answer.body.effects?.status]).toEqual([200, { status: 'success' }]);
        executed += 1;
        if (executed === BEFORE) served.resolve();
      }
    };
    const clients = Promise.all(Array.from({ length: CLIENTS }, client));
    await Promise.race([served.promise, clients]);
    expect(await sentinels.masterPort()).toBe(sentinels.master.port);
    await sentinels.master.stop('SIGKILL');
    await clients;
    expect(await sentinels.masterPort()).toBe(sentinels.replica.port);
    expect((await system.settledTotals()).coins).toBe(before.coins);
    expect(await system.audit()).toMatchObject({ exitCode: 0 });
    for (const app of ['gateway', 'coin-pool', 'executor'] as const) {
      const [service] = system.services(app);
      expect((await fetch(`${service!.url}/health/dependencies`)).status).toBe(200);
    }
  });
});
