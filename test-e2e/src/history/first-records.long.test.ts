import { describe, expect, it } from '@jest/globals';
import { Redis } from 'ioredis';
import { call, reserveGas, sponsor } from '../support/application.js';
import { netGas } from '../support/net-gas.js';
import { useSystem } from '../support/use-system.js';

const TRANSACTIONS = 8;

// The time limit of a call to the node also determines how long a pool is suspended after Redis has lost its
// data.
const system = useSystem(() => ({ history: 1, env: { LEDGER_TIMEOUT_MS: '2000' } }));

/** Sponsors transactions; the digests and gas that their callers saw. */
async function sponsorSome(count = TRANSACTIONS) {
  const digests: string[] = [];
  let gas = 0n;
  for (let n = 0; n < count; n++) {
    const { transaction, answer } = await sponsor(system.application);
    expect(answer.status).toBe(200);
    digests.push(transaction.digest);
    gas += netGas(answer.body.effects!);
  }
  return { digests, gas };
}

const read = async <T>(path: string) =>
  (await call(system.application, 'GET', path)).body.result as unknown as T | undefined;

async function isRecorded(digest: string): Promise<boolean> {
  const path = `/v1/sponsorships?status=executed&digest=${digest}`;
  return (await read<{ data: unknown[] }>(path))?.data.length === 1;
}

/** The gas of all transactions that the database has. */
async function usage(): Promise<bigint> {
  const report = await read<{ total: { gas: string } }>('/v1/usage?group_by=token&from=0');
  return BigInt(report?.total.gas ?? 0);
}

describe('a fleet that is configured for history', () => {
  it('records the first transactions after its start', async () => {
    const { digests, gas } = await sponsorSome();
    for (const digest of digests) await system.until(() => isRecorded(digest));
    // The list also shows records that the database does not have yet.
    await system.until(async () => (await usage()) === gas);
  });

  it('records the first transactions after Redis was emptied, also those before history is back', async () => {
    const before = await usage();
    const [history] = system.services('history');
    await history!.stop();
    const redis = new Redis(system.redisUrl);
    await redis.flushall().finally(() => redis.disconnect());
    // Until the loss is noticed, the pool has no coins, or those that upkeep has found again.
    await system.until(async () => {
      const { headers } = await reserveGas(system.application);
      return headers.get('error-code') === 'POOL_REFUSED';
    });
    await system.until(async () => (await reserveGas(system.application)).status === 200);
    const { digests, gas } = await sponsorSome();
    await history!.start();
    for (const digest of digests) await system.until(() => isRecorded(digest));
    await system.until(async () => (await usage()) === before + gas);
  });
});
