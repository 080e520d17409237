import { afterAll, describe, expect, it } from '@jest/globals';
import {
  type Answer,
  buildSponsored,
  executeTx,
  reserved,
  reserveGas,
  sponsor,
} from '../support/application.js';
import { useSystem } from '../support/use-system.js';
import { compareHistory } from './compare-history.js';
import { RedisFailover } from './redis-failover.js';
import { LedgerScan } from './ledger-scan.js';

const EXECUTE = 'iota_executeTransactionBlock';
let failover: RedisFailover;
const system = useSystem(() => ({
  coinPools: 2,
  history: 1,
  reachRedisBy: async (redisUrl) => (failover = await RedisFailover.start(redisUrl)).url,
  // The time limit of the ledger also determines how long the pool is suspended.
  env: { POOL_TARGET_COINS: '10', LEDGER_TIMEOUT_MS: '2000' },
}));
afterAll(() => failover.stop());

/** Returns how its caller asks for the outcome again. */
async function quarantineOne(): Promise<() => Promise<Answer>> {
  const { application, control } = system;
  await control.fault({ kind: 'refuse', preset: 'equivocated', method: EXECUTE });
  const reservation = await reserved(application);
  const transaction = await buildSponsored(application, reservation);
  const ask = () => executeTx(application, reservation, transaction);
  void ask();
  await system.until(async () => (await system.totals()).coins.quarantined === 1n);
  return ask;
}

const suspended = (ask: () => Promise<Answer>) =>
  system.until(async () => {
    const answer = await ask();
    expect([answer.status, answer.body.error]).toEqual([503, expect.any(String)]);
    return /lost writes/.test(answer.body.error!);
  });

const served = () =>
  system.until(async () => (await reserveGas(system.application, 1_000, 1)).status === 200);

async function untilAtRest() {
  let { coins } = await system.totals();
  await system.until(async () => {
    ({ coins } = await system.totals());
    return coins.reserved + coins.quarantined + coins.maintenance === 0n;
  });
  return coins;
}

describe('a transaction in quarantine', () => {
  it('that a replica does not know is not refused when the replica serves, nor while coins are suspended', async () => {
    let ask: () => Promise<Answer>;
    await failover.failOver(system.redisUrl, {
      losing: async () => {
        ask = await quarantineOne();
      },
      serving: () => suspended(ask),
      losingBack: () => Promise.resolve(),
    });
    await system.control.clearFaults();
    await served();
    await untilAtRest();
  });

  it.each([
    ['its end', false],
    ['its end, and what its coin has paid for since', true],
  ])('of which a replica does not know %s is counted with its gas', async (_what, isUsed) => {
    const { application, control } = system;
    await quarantineOne();
    await control.clearFaults();
    const [history] = system.services('history');
    const calls: { digest: string }[] = [];
    await failover.failOver(system.redisUrl, {
      losing: async () => {
        await history!.stop();
        await control.advanceEpoch();
        const { available } = await untilAtRest();
        // Each pays with another coin.
        const count = isUsed ? Number(available) : 0;
        const paid = await Promise.all(Array.from({ length: count }, () => sponsor(application)));
        calls.push(...paid.map(({ transaction }) => transaction));
      },
      serving: () => system.until(async () => (await reserveGas(application)).status === 503),
      losingBack: () => Promise.resolve(),
    });
    await history!.start();
    await served();
    await untilAtRest();
    await control.untilShown();
    const scan = new LedgerScan(system.ledger, system.sponsor);
    await scan.readOn();
    expect(await compareHistory(system, calls, scan)).toEqual([]);
    expect((await system.totals()).gasCharged).toBe(scan.gasCharged);
    expect(await system.differences()).toEqual([]);
  });
});
