import { randomBytes } from 'node:crypto';
import {
  adoptCoins,
  beginExecutions,
  claimReservations,
  placementRules,
  prepareCoinStore,
  type CoinStoreRedis,
  registerSponsor,
  releaseReservation,
  reserveGas,
  settleExecutions,
  type StoredCoins,
} from '@forecourt/coin-store';
import type { GasCoin } from '@forecourt/ledger';
import { only } from '@forecourt/testing/redis';
import type { Redis } from 'ioredis';

/** Balance of every coin. */
export const COIN_BALANCE = 100_000_000n;
const RULES = placementRules(COIN_BALANCE);
const LOADED_AT_ONCE = 20_000;
const CALLER = 'default';
const DIGEST = '9knpRtwCc9LK1BCJ222KZwgr9ZVHDyZhiLUTPt82FtmV';
/** Of the size of a typical transaction, base64. */
const TX_BYTES = randomBytes(330).toString('base64');
const USER_SIG = randomBytes(97).toString('base64');

const randomAddress = () => `0x${randomBytes(32).toString('hex')}`;

/** New coins. */
export function newCoins(count: number): GasCoin[] {
  return Array.from({ length: count }, () => ({
    objectId: randomAddress(),
    version: 1,
    digest: DIGEST,
    balance: COIN_BALANCE,
  }));
}

/** A pool of one sponsor on a real Redis, driven by the coin store's own scripts. */
export class MeasuredPool {
  private constructor(
    private readonly redis: CoinStoreRedis,
    private readonly sponsor: string,
  ) {}

  static async fill(connection: Redis, coins: number): Promise<MeasuredPool> {
    const redis = prepareCoinStore(connection);
    const sponsor = randomAddress();
    await registerSponsor(redis, sponsor);
    for (let left = coins; left > 0; left -= LOADED_AT_ONCE) {
      await adoptCoins(redis, sponsor, newCoins(Math.min(left, LOADED_AT_ONCE)), RULES);
    }
    return new MeasuredPool(redis, sponsor);
  }

  /** Reserves for each budget, in calls of `burst`. Throws when the pool has no coins. */
  async reserve(count: number, budget: bigint, burst: number): Promise<StoredCoins[]> {
    const request = { caller: CALLER, gasBudget: Number(budget), durationMs: 600_000 };
    const calls = Array.from({ length: count / burst }, () =>
      reserveGas(
        this.redis,
        this.sponsor,
        Array.from({ length: burst }, () => request),
      ),
    );
    return (await Promise.all(calls)).flat().map((reserved) => {
      if (!reserved) throw new Error('the pool ran empty');
      return reserved;
    });
  }

  async release(reservations: readonly StoredCoins[]): Promise<void> {
    const { redis, sponsor } = this;
    await Promise.all(
      reservations.map(({ reservationId }) =>
        releaseReservation(redis, sponsor, { reservationId, caller: CALLER, retentionMs: 1_000 }),
      ),
    );
  }

  /** Takes the reservation to the state before the signature. */
  async begin(reservations: readonly StoredCoins[]): Promise<void> {
    await Promise.all(
      reservations.map(async ({ reservationId }) => {
        const claimed = await only(
          claimReservations(this.redis, this.sponsor, [
            {
              reservationId,
              caller: CALLER,
              digest: DIGEST,
              leaseMs: 60_000,
              txBytes: TX_BYTES,
              userSig: USER_SIG,
              usage: [],
              rule: '',
              inputs: [],
              waiter: { gateway: 'bench', requestType: 'waitForEffectsCert' },
            },
          ]),
        );
        if (claimed.result !== 'claimed') throw new Error(`the claim answered ${claimed.result}`);
        const { fence } = claimed;
        const job = { reservationId, digest: DIGEST, fence, executor: 'bench' };
        await only(beginExecutions(this.redis, this.sponsor, job.executor, [job]));
      }),
    );
  }

  /**
   * The first coin of each returns at a new version with its old balance; the others were smashed
   * into it.
   */
  async settle(reservations: readonly StoredCoins[]): Promise<void> {
    const settled = await Promise.all(
      reservations.map(({ reservationId, coins: [first] }) =>
        only(
          settleExecutions(this.redis, this.sponsor, [
            {
              reservationId,
              digest: DIGEST,
              outcome: 'executed',
              returned: [{ ...first!, version: first!.version + 1 }],
              rules: RULES,
              gasCharged: 1_000_000n,
              cost: 1_000_000n,
              retentionMs: 1_000,
            },
          ]),
        ),
      ),
    );
    if (settled.some((one) => !one.settled)) throw new Error('an execution was not settled');
  }

  add(count: number): Promise<number> {
    return adoptCoins(this.redis, this.sponsor, newCoins(count), RULES);
  }
}
