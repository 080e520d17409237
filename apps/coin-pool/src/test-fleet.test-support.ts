import { randomBytes, randomUUID } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import {
  type Claim,
  type CoinStoreRedis,
  openPool,
  prepareCoinStore,
  registerSponsor,
} from '@forecourt/coin-store';
import { EXECUTE_TRANSACTION_QUEUE, type ExecutionJob } from '@forecourt/contracts';
import { partial, useStarted } from '@forecourt/testing/jest';
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
import { PoolMetrics } from './metrics/pool-metrics.js';
import { PoolState } from './pool/pool-state.js';
import {
  createPool,
  type Logged,
  type PoolSettings,
  type TestPool,
  usualSettings,
} from './test-pool.test-support.js';

export type { TestPool } from './test-pool.test-support.js';

/** A private durable Redis and a devnet process whose faults can be set. */
export interface TestFleet extends Omit<DevnetControl, 'lock'> {
  readonly server: RedisServer;
  readonly redis: CoinStoreRedis;
  readonly ledger: Ledger;
  readonly ledgerUrl: string;
  /** The same ledger over gRPC. */
  readonly grpcLedger: Ledger;
  /** A sponsor that owns coins of these balances; its pool is open and empty. */
  aPool(funds: readonly bigint[], settings?: Partial<PoolSettings>): Promise<TestPool>;
  /** Locks the object for another transaction until the epoch ends. */
  lock(objectId: string): Promise<void>;
  stop(): Promise<void>;
}

/** A claim without inputs and limits; `over` replaces its fields. */
export function aClaimOf(reservationId: number, digest: string, over: Partial<Claim> = {}): Claim {
  return {
    reservationId,
    digest,
    caller: 'default',
    txBytes: 'AAAA',
    userSig: 'BBBB',
    usage: [],
    rule: '',
    inputs: [],
    leaseMs: 0,
    waiter: { gateway: 'one', requestType: 'waitForEffectsCert' },
    ...over,
  };
}

/** A fleet for all tests of a file. */
export const useTestFleet = () => useStarted(startTestFleet, (fleet) => fleet.stop());

async function startTestFleet(): Promise<TestFleet> {
  const folder = mkdtempSync(join(tmpdir(), 'forecourt-coin-pool-'));
  const server = await startRedisServer();
  const redis = prepareCoinStore(new Redis(server.url));
  // One restart guard for each pool.
  redis.setMaxListeners(0);
  const [rpc, grpc, controlPort] = [await freePort(), await freePort(), await freePort()];
  const ledgerUrl = `http://127.0.0.1:${rpc}`;
  const devnet = await startService({
    app: 'devnet',
    url: ledgerUrl,
    logFile: join(folder, 'devnet.log'),
    env: {
      ...inheritedEnvironment(),
      DEVNET_RPC_PORT: String(rpc),
      DEVNET_GRPC_PORT: String(grpc),
      // With gRPC, devnet shows transactions late.
      DEVNET_LAG_MS: '0',
      DEVNET_CONTROL_PORT: String(controlPort),
      DEVNET_FAUCET_PORT: 'off',
      DEVNET_EPOCH_SECONDS: 'off',
    },
  });
  const ledger = createIotaLedger({ urls: [ledgerUrl], requestTimeoutMs: 10_000 });
  // Jest cannot load it while it is still loading the modules that it shares with Nest.
  const bullmq = await import('bullmq');
  const { ClaimJobs } = await import('@forecourt/runtime/queue');
  const connection = { url: server.url };
  const queue = new bullmq.Queue<ExecutionJob>(EXECUTE_TRANSACTION_QUEUE, { connection });
  const control = devnetControl(`http://127.0.0.1:${controlPort}`);
  return {
    ...control,
    server,
    redis,
    ledger,
    ledgerUrl,
    grpcLedger: createIotaLedger({
      urls: [`grpc://127.0.0.1:${grpc}`],
      requestTimeoutMs: 10_000,
    }),
    async aPool(funds, settings = {}) {
      const secret = Buffer.concat([Buffer.of(0), randomBytes(32)]).toString('base64');
      const signer = createLocalSigner(secret);
      for (const amount of funds) await control.mint(signer.address, amount);
      await registerSponsor(redis, signer.address);
      await openPool(redis, signer.address, await ledger.chainIdentifier());
      const logged: Logged[] = [];
      const log = (fields: object, message = '') => void logged.push({ ...fields, message });
      const state = new PoolState();
      state.opened = true;
      state.sponsors.add(signer.address);
      return createPool({
        owner: randomUUID(),
        redis,
        ledger,
        queue,
        jobs: new ClaimJobs(queue),
        settings: partial<CoinPoolConfig>({ ...usualSettings, ...settings }),
        keys: new Signers([signer]),
        state,
        metrics: new PoolMetrics(new Metrics()),
        logger: { debug: log, info: log, warn: log, error: log },
        sponsor: signer.address,
        signer,
        secret,
        logged,
      });
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
