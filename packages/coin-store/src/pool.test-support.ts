import { randomBytes } from 'node:crypto';
import type { Viewer, Waiter } from '@forecourt/contracts';
import type { GasCoin } from '@forecourt/ledger';
import { useStarted } from '@forecourt/testing/jest';
import { type RedisServer, startRedisServer, only } from '@forecourt/testing/redis';
import { Redis } from 'ioredis';
import { adoptCoins } from './pool/adopt-coins.js';
import { placementRules } from './pool/placement-rules.js';
import { rebuildPool } from './pool/pool-rebuilding.js';
import { registerSponsor } from './pool/sponsor-registry.js';
import { suspendPool } from './pool/suspension.js';
import { type Claim, claimReservations } from './reservations/claim-reservations.js';
import { reserveGas, type StoredCoins } from './reservations/reserve-gas.js';
import type { CoinStoreRedis } from './scripts/run-script.js';
import { prepareCoinStore } from './scripts/prepare-coin-store.js';
import type { Lead } from './upkeep/leader-lock.js';

export const caller = 'default';
export const retentionMs = 60_000;
export const rules = placementRules(1_000_000n);
export const everybody: Viewer = { token: null, user: null };
export const waiter: Waiter = { gateway: 'gw-1', requestType: 'waitForEffectsCert' };

export const randomAddress = () => `0x${randomBytes(32).toString('hex')}`;

export function aCoin(balance: bigint | number, over: Partial<GasCoin> = {}): GasCoin {
  return {
    objectId: randomAddress(),
    version: 1,
    digest: 'Digest1',
    balance: BigInt(balance),
    ...over,
  };
}

export interface TestStore {
  readonly server: RedisServer;
  readonly redis: CoinStoreRedis;
  /** A new sponsor whose pool holds these coins. */
  aPool(...balances: (bigint | number)[]): Promise<{ sponsor: string; coins: GasCoin[] }>;
  stop(): Promise<void>;
}

/** A store for all tests of a file. */
export const useTestStore = () => useStarted(startTestStore, (store) => store.stop());

async function startTestStore(): Promise<TestStore> {
  const server = await startRedisServer({ appendfsync: 'no' });
  const redis = prepareCoinStore(new Redis(server.url));
  return {
    server,
    redis,
    async aPool(...balances) {
      await redis.del('fc:sponsors');
      const sponsor = randomAddress();
      await registerSponsor(redis, sponsor);
      const coins = balances.map((balance) => aCoin(balance));
      await adoptCoins(redis, sponsor, coins, rules);
      return { sponsor, coins };
    },
    async stop() {
      redis.disconnect();
      await server.stop();
    },
  };
}

/** Leads for five seconds; all transactions in flight are due at once. */
export const aLead = (owner: string): Lead => {
  return { owner, leaseMs: 5_000, requeueAfterMs: 0, retentionMs };
};

/** One reservation; throws when there are no coins for it. */
export async function reserve(
  redis: CoinStoreRedis,
  sponsor: string,
  gasBudget = 500_000,
  durationMs = 60_000,
): Promise<StoredCoins> {
  const [reserved] = await reserveGas(redis, sponsor, [{ caller, gasBudget, durationMs }]);
  if (!reserved) throw new Error('no coins');
  return reserved;
}

/** A claim without inputs and limits; `over` replaces its fields. */
export function claimOf(reservationId: number, digest: string, over: Partial<Claim> = {}): Claim {
  return {
    reservationId,
    caller,
    digest,
    waiter,
    leaseMs: 30_000,
    txBytes: 'AAAA',
    userSig: 'BBBB',
    usage: [],
    rule: '',
    inputs: [],
    ...over,
  };
}

/** Claims a reservation for a digest; returns the fence. Throws when it is not claimed. */
export async function claim(
  redis: CoinStoreRedis,
  sponsor: string,
  reservationId: number,
  digest: string,
  leaseMs = 30_000,
): Promise<number> {
  const claimed = await only(
    claimReservations(redis, sponsor, [claimOf(reservationId, digest, { leaseMs })]),
  );
  if (claimed.result !== 'claimed') throw new Error(`claim answered ${claimed.result}`);
  return claimed.fence;
}

/** Suspends a pool briefly and rebuilds it from its remaining data. */
export async function suspendAndRebuild(redis: CoinStoreRedis, sponsor: string): Promise<void> {
  await suspendPool(redis, sponsor, 1);
  const found = { epoch: 1n, placesCoins: true, reservationIds: [], gone: [], coins: [], rules };
  await rebuildPool(redis, sponsor, found);
}
