import { randomUUID } from 'node:crypto';
import { expect, describe, it } from '@jest/globals';
import { claim, reserve, useTestStore } from '../pool.test-support.js';
import { backUpPool } from './back-up-pool.test-support.js';
import {
  checkRedisRestart,
  endSuspension,
  readSuspension,
  type RestartCheckResult,
  vouchForNextServer,
} from './suspension.js';

const store = useTestStore();
const HOLD_MS = 60_000;
const NOT_SUSPENDED = null;

/** A coin-pool that calls like the restart guard. */
class Witness {
  readonly name = randomUUID();
  #seen: RestartCheckResult | null = null;

  constructor(private readonly sponsor: string) {}

  async look(runId: string, mayForget = false): Promise<number> {
    const { watermark = null, others = [] } = this.#seen ?? {};
    const check = { runId, mayForget, holdMs: HOLD_MS, witness: this.name, watermark, others };
    const found = await checkRedisRestart(store.redis, this.sponsor, check);
    this.#seen = { ...found, watermark: Math.max(found.watermark, watermark ?? 0) };
    return found.suspendedMs;
  }
}

const keyOf = (sponsor: string, name: string) => `fc:{${sponsor}}:${name}`;

async function claimOne(sponsor: string): Promise<void> {
  const { reservationId } = await reserve(store.redis, sponsor);
  await claim(store.redis, sponsor, reservationId, `digest of ${reservationId}`);
}

/** A pool whose only witness has seen a claim that Redis, restored since, does not have. */
async function aLostClaim() {
  const { sponsor } = await store.aPool(1_000_000);
  const one = new Witness(sponsor);
  await one.look('first');
  const restore = await backUpPool(store.redis, sponsor);
  await claimOne(sponsor);
  await one.look('first');
  await restore();
  return { sponsor, one };
}

describe('a Redis that answers with another run id', () => {
  it('is trusted at once when the only coin-pool finds its claims there', async () => {
    const { sponsor } = await store.aPool(1_000_000);
    const one = new Witness(sponsor);
    expect(await one.look('first')).toBe(0);
    await claimOne(sponsor);
    await one.look('first');
    expect(await one.look('second')).toBe(0);
    expect(await readSuspension(store.redis, sponsor)).toBe(NOT_SUSPENDED);
  });

  it('is trusted when every coin-pool has found its claims there, and not before', async () => {
    const { sponsor } = await store.aPool(1_000_000);
    const [one, two] = [new Witness(sponsor), new Witness(sponsor)];
    await one.look('first');
    await two.look('first');
    expect(await one.look('second')).toBeGreaterThan(0);
    expect(await one.look('second')).toBeLessThanOrEqual(2_000);
    expect(await two.look('second')).toBe(0);
    expect(await one.look('second')).toBe(0);
  });

  it('is not trusted while a coin-pool that was at work is silent', async () => {
    const { sponsor } = await store.aPool(1_000_000);
    const [one, dead] = [new Witness(sponsor), new Witness(sponsor)];
    await one.look('first');
    await dead.look('first');
    await one.look('second');
    expect(await one.look('second')).toBeGreaterThan(0);
    expect(await readSuspension(store.redis, sponsor)).toBeGreaterThan(HOLD_MS / 2);
    expect(await endSuspension(store.redis, sponsor)).toBe(false);
  });

  it('is not trusted when no coin-pool remembers the previous one', async () => {
    const { sponsor } = await store.aPool(1_000_000);
    await new Witness(sponsor).look('first');
    const started = new Witness(sponsor);
    expect(await started.look('second')).toBeGreaterThan(0);
    await started.look('second');
    expect(await readSuspension(store.redis, sponsor)).toBeGreaterThan(HOLD_MS / 2);
  });

  it('is trusted where the previous one was vouched for, unless it was suspended', async () => {
    const { sponsor } = await store.aPool(1_000_000);
    const restart = async (runId: string) => {
      await vouchForNextServer(store.redis, sponsor);
      return new Witness(sponsor).look(runId, true);
    };
    await new Witness(sponsor).look('first');
    await claimOne(sponsor);
    expect(await restart('second')).toBe(0);
    expect(await new Witness(sponsor).look('third')).toBeGreaterThan(0);
    expect(await restart('fourth')).toBeGreaterThan(0);
  });

  it('is not trusted when its crash may have lost writes', async () => {
    const { sponsor } = await store.aPool(1_000_000);
    const one = new Witness(sponsor);
    await one.look('first');
    await one.look('second', true);
    expect(await one.look('second', true)).toBeGreaterThan(HOLD_MS / 2);
  });
});

describe('a Redis with an older copy of its data', () => {
  it('is detected by a coin-pool with a later claim, though others find nothing missing', async () => {
    const { sponsor } = await store.aPool(1_000_000, 1_000_000);
    const [one, two] = [new Witness(sponsor), new Witness(sponsor)];
    await one.look('first');
    await two.look('first');
    const restore = await backUpPool(store.redis, sponsor);
    await claimOne(sponsor);
    await two.look('first');
    await restore();
    await one.look('second');
    await two.look('second');
    expect(await one.look('second')).toBeGreaterThan(HOLD_MS / 2);
    expect(await endSuspension(store.redis, sponsor)).toBe(false);
  });

  it('is detected when a coin-pool that started later has died with it', async () => {
    const { sponsor } = await store.aPool(1_000_000, 1_000_000);
    const [one, dead] = [new Witness(sponsor), new Witness(sponsor)];
    await one.look('first');
    const restore = await backUpPool(store.redis, sponsor);
    await dead.look('first');
    await one.look('first');
    await restore();
    await one.look('second');
    expect(await one.look('second')).toBeGreaterThan(0);
    expect(await readSuspension(store.redis, sponsor)).toBeGreaterThan(HOLD_MS / 2);
  });

  it('is detected by the next look when the server is the same', async () => {
    const { one } = await aLostClaim();
    expect(await one.look('first')).toBeGreaterThan(HOLD_MS / 2);
  });

  it('stays suspended when it restarts once more meanwhile', async () => {
    const { one } = await aLostClaim();
    await one.look('second');
    expect(await one.look('third')).toBeGreaterThan(HOLD_MS / 2);
  });

  it('serves again after the suspension, and ignores the loss from then on', async () => {
    const { sponsor, one } = await aLostClaim();
    await one.look('second');
    await store.redis.set(keyOf(sponsor, 'held'), Date.now() - 1);
    expect(await endSuspension(store.redis, sponsor)).toBe(true);
    // A witness that stays awaited would prevent the confirmation of the next suspension.
    expect(await store.redis.exists(keyOf(sponsor, 'awaited'))).toBe(0);
    expect(await one.look('second')).toBe(0);
    expect(await one.look('third')).toBe(0);
  });
});

describe('an empty Redis', () => {
  it('is a new pool for a coin-pool that has just started', async () => {
    const { sponsor } = await store.aPool();
    expect(await new Witness(sponsor).look('first')).toBe(0);
  });

  it('has lost the pool when a coin-pool remembers claims', async () => {
    const { sponsor } = await store.aPool(1_000_000);
    const one = new Witness(sponsor);
    await one.look('first');
    await claimOne(sponsor);
    await one.look('first');
    await store.redis.del(...(await store.redis.keys(keyOf(sponsor, '*'))));
    // Another coin-pool that has just started does not make it a new pool.
    await new Witness(sponsor).look('second');
    expect(await one.look('second')).toBeGreaterThan(HOLD_MS / 2);
  });
});
