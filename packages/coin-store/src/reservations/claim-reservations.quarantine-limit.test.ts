import { describe, expect, it } from '@jest/globals';
import { only } from '@forecourt/testing/redis';
import { beginExecutions } from '../executions/begin-executions.js';
import { listQuarantines, quarantineExecution } from '../executions/quarantines.js';
import { settleExecutions } from '../executions/settle-executions.js';
import {
  caller,
  claimOf,
  reserve,
  retentionMs,
  rules,
  useTestStore,
} from '../pool.test-support.js';
import { claimReservations, type ClaimResult } from './claim-reservations.js';

const store = useTestStore();

const WINDOW_MS = 60_000;

async function claim(
  sponsor: string,
  most = 2,
  quarantinedElsewhere: readonly number[] = [],
): Promise<ClaimResult & { id: number; digest: string }> {
  const { reservationId: id } = await reserve(store.redis, sponsor);
  const digest = `D${id}`;
  const quarantineLimit = { most, windowMs: WINDOW_MS };
  const request = claimOf(id, digest, { quarantineLimit, quarantinedElsewhere });
  const claimed = await only(claimReservations(store.redis, sponsor, [request]));
  return { ...claimed, id, digest };
}

async function quarantine(sponsor: string, isExcused = false): Promise<void> {
  const { id, digest } = await claim(sponsor);
  await quarantineClaim(sponsor, id, digest, isExcused);
}

async function quarantineClaim(
  sponsor: string,
  reservationId: number,
  digest: string,
  isExcused = false,
): Promise<void> {
  const job = { reservationId, digest, fence: 1 };
  await only(beginExecutions(store.redis, sponsor, 'e', [job]));
  const refusal = { ...job, message: 'locked', epoch: 1n, isExcused };
  const { quarantined } = await quarantineExecution(store.redis, sponsor, refusal);
  expect(quarantined).toBe(true);
}

describe('a caller whose transactions end in quarantine', () => {
  it('a caller with too many quarantined transactions cannot claim until one of them has left the window', async () => {
    const { sponsor } = await store.aPool(...Array<number>(6).fill(700_000));
    await quarantine(sponsor);
    expect((await claim(sponsor)).result).toBe('claimed');
    await quarantine(sponsor);
    const refused = await claim(sponsor);
    expect(refused).toMatchObject({ result: 'quarantines' });
    const { endsInMs } = refused as Extract<ClaimResult, { result: 'quarantines' }>;
    expect(endsInMs).toBeGreaterThan(0);
    expect(endsInMs).toBeLessThanOrEqual(WINDOW_MS);
    const key = `fc:{${sponsor}}:quarantines:${caller}`;
    const [oldest] = await store.redis.zrange(key, '0', '0');
    await store.redis.zadd(key, 'XX', Date.now() - WINDOW_MS - 1, oldest!);
    expect((await claim(sponsor)).result).toBe('claimed');
  });

  it('a caller waits for two windows when twice as many as allowed were claimed before the first counted', async () => {
    const { sponsor } = await store.aPool(...Array<number>(6).fill(700_000));
    const claims = [];
    for (let count = 0; count < 4; count++) claims.push(await claim(sponsor));
    for (const { id, digest } of claims) await quarantineClaim(sponsor, id, digest);
    const refused = await claim(sponsor);
    expect(refused).toMatchObject({ result: 'quarantines' });
    const { endsInMs } = refused as Extract<ClaimResult, { result: 'quarantines' }>;
    expect(endsInMs).toBeGreaterThan(WINDOW_MS);
    expect(endsInMs).toBeLessThanOrEqual(2 * WINDOW_MS);
  });

  it('has each counted once more for each percent of the pool that its coins are', async () => {
    const times = async (balances: readonly number[], gasBudget: number) => {
      const { sponsor } = await store.aPool(...balances);
      const { reservationId, coins } = await reserve(store.redis, sponsor, gasBudget);
      await only(claimReservations(store.redis, sponsor, [claimOf(reservationId, 'D')]));
      await quarantineClaim(sponsor, reservationId, 'D');
      const counted = (await listQuarantines(store.redis, sponsor)).get(caller)!.length;
      const settled = {
        outcome: 'executed',
        rules,
        retentionMs,
        gasCharged: 1n,
        cost: 1n,
      } as const;
      const execution = { reservationId, digest: 'D', returned: coins };
      await only(settleExecutions(store.redis, sponsor, [{ ...execution, ...settled }]));
      expect(await store.redis.exists(`fc:{${sponsor}}:quarantines:${caller}`)).toBe(0);
      return { counted, coins: coins.length };
    };
    const alike = Array<number>(50).fill(1_000_000);
    expect(await times(alike, 500_000)).toEqual({ counted: 1, coins: 1 });
    // Ten of fifty coins: 18 percent beyond the first.
    expect(await times(alike, 10_000_000)).toEqual({ counted: 19, coins: 10 });
    // One of eleven coins, with two thirds of the value.
    const uneven = [...Array<number>(10).fill(150_000), 2_900_000];
    expect(await times(uneven, 2_800_000)).toEqual({ counted: 57, coins: 1 });
  });

  it('counts those in other pools as well', async () => {
    const [{ sponsor }, other] = [
      await store.aPool(700_000, 700_000, 700_000),
      await store.aPool(700_000),
    ];
    await quarantine(other.sponsor);
    const elsewhere = (await listQuarantines(store.redis, other.sponsor)).get(caller)!;
    expect(elsewhere).toEqual([expect.any(Number)]);
    expect((await claim(sponsor, 2, elsewhere)).result).toBe('claimed');
    await quarantine(sponsor);
    const refused = await claim(sponsor, 2, [WINDOW_MS - 5_000]);
    const { endsInMs } = refused as Extract<ClaimResult, { result: 'quarantines' }>;
    expect(endsInMs).toBeGreaterThan(0);
    expect(endsInMs).toBeLessThanOrEqual(5_000);
  });

  it('does not answer for transactions whose outcome no node reported', async () => {
    const { sponsor } = await store.aPool(...Array<number>(6).fill(700_000));
    for (let times = 0; times < 3; times++) await quarantine(sponsor, true);
    expect((await claim(sponsor)).result).toBe('claimed');
  });

  it('cannot have more quarantines than are remembered, whatever its limit says', async () => {
    const { sponsor } = await store.aPool(700_000, 700_000);
    await quarantine(sponsor);
    const key = `fc:{${sponsor}}:quarantines:${caller}`;
    const others = Array.from({ length: 999 }, (_, index) => [Date.now(), `other ${index}`]);
    await store.redis.zadd(key, ...others.flat());
    expect((await claim(sponsor, 5_000)).result).toBe('quarantines');
  });
});
