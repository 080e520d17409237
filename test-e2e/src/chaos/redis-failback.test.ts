import { describe, expect, it } from '@jest/globals';
import type { SponsorStatus } from '@forecourt/contracts/http';
import { createSponsorKey } from '@forecourt/testing/system';
import { type Answer, call } from '../support/application.js';
import { useSystem } from '../support/use-system.js';
import { RedisFailover } from './redis-failover.js';

const AMOUNT = 5_000_000_000n;
const safe = createSponsorKey().address;
let failover: RedisFailover;
const system = useSystem(() => ({
  coinPools: 2,
  reachRedisBy: async (redisUrl) => (failover = await RedisFailover.start(redisUrl)).url,
  // The time limit of the ledger also determines how long the pool is suspended.
  env: { POOL_TARGET_COINS: '10', LEDGER_TIMEOUT_MS: '2000', WITHDRAW_ADDRESSES: safe },
}));

const post = (path: string, body: object) =>
  call(system.application, 'POST', path, {
    sponsor_address: system.sponsor,
    reason: 'a test',
    ...body,
  });
const terms = { to_address: safe, amount: String(AMOUNT), request_id: 'one' };
const order = (more = {}) => post('/v1/withdraw_amount', { ...terms, ...more });
const codeOf = ({ status, headers }: Answer) => [status, headers.get('error-code')];

async function statusOf(): Promise<SponsorStatus> {
  const { body } = await call(system.application, 'GET', '/v1/sponsors');
  return (body.result as unknown as { sponsors: SponsorStatus[] }).sponsors[0]!;
}

async function untilSent(): Promise<void> {
  await system.until(async () => {
    const { withdrawal } = await statusOf();
    return withdrawal?.ended != null && withdrawal.arrived === String(AMOUNT);
  });
}

async function arrived(): Promise<bigint> {
  await system.control.untilShown();
  return BigInt((await system.ledger.getBalance({ owner: safe })).totalBalance);
}

/**
 * Orders without the operator's word; returns the loss that the refusal names once coins are not suspended.
 */
async function refused(more = {}): Promise<string> {
  let answer = await order(more);
  await system.until(async () => {
    if (answer.status === 503) answer = await order(more);
    return answer.status !== 503;
  });
  expect(codeOf(answer)).toEqual([400, 'LOSS_NOT_EXAMINED']);
  return /after_loss: "(\d+)"/.exec(String(answer.body.error))![1]!;
}

describe('an amount that a replica does not know to be ordered and sent', () => {
  it('is sent once through a failover and a failback, and again by the operator’s word only', async () => {
    await post('/v1/drain', {});
    await system.until(async () => (await statusOf()).state === 'drained');
    let first = '';
    await failover.failOver(system.redisUrl, {
      losing: async () => {
        expect((await order()).status).toBe(200);
        await untilSent();
      },
      serving: async () => {
        first = await refused();
      },
      losingBack: () => Promise.resolve(),
    });
    const latest = await refused({ after_loss: first });
    expect(Number(latest)).toBeGreaterThan(Number(first));
    for (const [path, body] of [
      ['/v1/check_withdrawal', { to_address: safe }],
      ['/v1/withdraw', { to_address: safe }],
      ['/v1/withdraw', { to_address: safe, after_loss: first }],
    ] as const) {
      expect(codeOf(await post(path, body))).toEqual([400, 'LOSS_NOT_EXAMINED']);
    }
    expect(await arrived()).toBe(AMOUNT);
    expect((await order({ after_loss: latest })).status).toBe(200);
    await untilSent();
    expect(await arrived()).toBe(2n * AMOUNT);
    expect(await system.differences()).toEqual([]);
    failover.stop();
  });
});
