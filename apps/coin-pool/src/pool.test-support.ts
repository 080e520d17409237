import { randomBytes, randomUUID } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import {
  type CoinStoreRedis,
  coinStates,
  openPool,
  placementRules,
  prepareCoinStore,
  readPoolTotals,
  registerSponsor,
} from '@forecourt/coin-store';
import { EXECUTE_TRANSACTION_QUEUE, type ExecuteTransactionJob } from '@forecourt/contracts';
import { useStarted } from '@forecourt/testing/jest';
import {
  type DevnetControl,
  devnetControl,
  inheritedEnvironment,
  freePort,
  startService,
} from '@forecourt/testing/system';
import { createIotaLedger, createLocalSigner, type Ledger } from '@forecourt/ledger';
import { type RedisServer, startRedisServer } from '@forecourt/testing/redis';
import { Metrics } from '@forecourt/runtime/metrics';
import { Signers } from '@forecourt/runtime/signers';
import { Redis } from 'ioredis';
import type { CoinPoolConfig } from './coin-pool-config.js';
import type { LeaderDependencies } from './leadership/leader-dependencies.js';
import { CheckPool } from './messages/check-pool.js';
import { ReserveGas } from './messages/reserve-gas.js';
import { PoolMetrics } from './metrics/pool-metrics.js';
import { PoolState } from './pool/pool-state.js';
import { RestartGuard } from './pool/restart-guard.js';
import { SponsorChoice } from './pool/sponsor-choice.js';
import { Watermarks } from './pool/watermarks.js';

type PoolSettings = LeaderDependencies['settings'] &
  Pick<CoinPoolConfig, 'claimLeaseMs' | 'holdMs' | 'redisMode'>;

const usualSettings: PoolSettings = {
  redisMode: 'single',
  targetBalance: 100_000_000n,
  targetCoins: 10,
  minCoins: 5,
  minFreeShare: 0,
  splitConcurrency: 8,
  consolidateAt: 50,
  scanMs: 200,
  auditMs: 0,
  holdMs: 1_000,
  submitWithinMs: 5_000,
  claimLeaseMs: 30_000,
  requeueAfterMs: 15_000,
  retentionMs: 60_000,
  withdrawAddresses: [],
};

/** A log line: its message and its fields. */
export interface Logged {
  readonly [field: string]: unknown;
  readonly message: string;
}

type TestDependencies = LeaderDependencies & {
  readonly guard: RestartGuard;
  readonly keys: Signers;
  readonly settings: PoolSettings;
  readonly state: PoolState;
};

/** A new sponsor with a new pool: the dependencies of every operation on it. */
export interface TestPool extends TestDependencies {
  readonly sponsor: string;
  readonly secret: string;
  readonly logged: Logged[];
  /** All coins of the pool, in any state. */
  balance(): Promise<bigint>;
  /** The same pool from the view of another process of the fleet. */
  replica(): TestDependencies;
  reserveGas(): ReserveGas;
  checkPool(): CheckPool;
}

/** A private durable Redis and a devnet process whose faults can be set. */
export interface TestFleet extends Omit<DevnetControl, 'lock'> {
  readonly server: RedisServer;
  readonly redis: CoinStoreRedis;
  readonly ledger: Ledger;
  readonly ledgerUrl: string;
  /** A sponsor that owns coins of these balances; its pool is open and empty. */
  aPool(funds: readonly bigint[], settings?: Partial<PoolSettings>): Promise<TestPool>;
  /** Locks the object for another transaction until the epoch ends. */
  lock(objectId: string): Promise<void>;
  stop(): Promise<void>;
}

/** A fleet for all tests of a file. */
export const useTestFleet = () => useStarted(startTestFleet, (fleet) => fleet.stop());

async function startTestFleet(): Promise<TestFleet> {
  const folder = mkdtempSync(join(tmpdir(), 'forecourt-coin-pool-'));
  const server = await startRedisServer();
  const redis = prepareCoinStore(new Redis(server.url));
  // One restart guard for each pool.
  redis.setMaxListeners(0);
  const [rpc, controlPort] = [await freePort(), await freePort()];
  const ledgerUrl = `http://127.0.0.1:${rpc}`;
  const devnet = await startService({
    app: 'devnet',
    url: ledgerUrl,
    logFile: join(folder, 'devnet.log'),
    env: {
      ...inheritedEnvironment(),
      DEVNET_RPC_PORT: String(rpc),
      DEVNET_CONTROL_PORT: String(controlPort),
      DEVNET_FAUCET_PORT: 'off',
      DEVNET_EPOCH_SECONDS: 'off',
    },
  });
  const ledger = createIotaLedger({ urls: [ledgerUrl], requestTimeoutMs: 10_000 });
  // Jest cannot load it while it is still loading the modules that it shares with Nest.
  const { Queue } = await import('bullmq');
  const connection = { url: server.url };
  const queue = new Queue<ExecuteTransactionJob>(EXECUTE_TRANSACTION_QUEUE, { connection });
  const control = devnetControl(`http://127.0.0.1:${controlPort}`);
  return {
    ...control,
    server,
    redis,
    ledger,
    ledgerUrl,
    async aPool(funds, settings = {}) {
      const secret = Buffer.concat([Buffer.of(0), randomBytes(32)]).toString('base64');
      const signer = createLocalSigner(secret);
      for (const amount of funds) await control.mint(signer.address, amount);
      await registerSponsor(redis, signer.address);
      await openPool(redis, signer.address, await ledger.chainIdentifier());
      const all = { ...usualSettings, ...settings };
      const logged: Logged[] = [];
      const log = (fields: object, message = '') => void logged.push({ ...fields, message });
      const signers = [signer];
      const keys = new Signers(signers);
      const state = new PoolState();
      state.opened = true;
      state.sponsors.add(signer.address);
      const logger = { debug: log, info: log, warn: log, error: log } as TestPool['logger'];
      const watermarks = new Watermarks();
      const guard = new RestartGuard(redis, keys, all, logger, state, watermarks);
      const metrics = new PoolMetrics(new Metrics());
      const dependencies: TestDependencies = {
        owner: randomUUID(),
        redis,
        ledger,
        queue,
        settings: all,
        signers,
        keys,
        state,
        logger,
        rules: placementRules(all.targetBalance),
        guard,
        watermarks,
        metrics,
      };
      return {
        ...dependencies,
        sponsor: signer.address,
        secret,
        logged,
        replica: () => ({ ...dependencies, owner: randomUUID() }),
        reserveGas: () =>
          new ReserveGas(redis, all, new SponsorChoice(keys, state), state, guard, metrics),
        checkPool: () =>
          new CheckPool(redis, new SponsorChoice(keys, state), ledger, all, state, guard),
        async balance() {
          const { balance } = await readPoolTotals(redis, signer.address);
          return coinStates.reduce((sum, state) => sum + balance[state], 0n);
        },
      };
    },
    lock: (objectId) => control.lock(objectId, 'HWKo1RcVdQgCSnFqRyfJdSgsxGfKjt2jELNFbQEyvCJ9'),
    async stop() {
      await queue.close();
      redis.disconnect();
      await devnet.stop();
      await server.stop();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}
