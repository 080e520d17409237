import { randomBytes, randomUUID } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
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
import { inheritedEnvironment, freePort, startService } from '@forecourt/testing/system';
import { createIotaLedger, createLocalSigner, type Ledger } from '@forecourt/ledger';
import { type RedisServer, startRedisServer } from '@forecourt/testing/redis';
import { Metrics } from '@forecourt/runtime/metrics';
import { Queue } from 'bullmq';
import { Redis } from 'ioredis';
import { poolMetrics } from './metrics/pool-metrics.js';
import type { PoolParts, PoolSettings } from './pool/pool-parts.js';
import { ServerGate } from './pool/server-gate.js';

const UNTIL_MS = 20_000;

const usualSettings: PoolSettings = {
  targetBalance: 100_000_000n,
  targetCoins: 10,
  minCoins: 5,
  minFreeShare: 0,
  splitConcurrency: 8,
  foldAt: 50,
  scanMs: 200,
  auditMs: 0,
  holdMs: 1_000,
  claimLeaseMs: 30_000,
  requeueAfterMs: 15_000,
  retentionMs: 60_000,
};

/** A line that was logged: its words and its fields. */
export interface Logged {
  readonly [field: string]: unknown;
  readonly words: string;
}

/** A new sponsor with a pool of its own. */
export interface TestPool extends PoolParts {
  readonly sponsor: string;
  readonly secret: string;
  readonly logged: Logged[];
  /** All coins of the pool, whatever their state. */
  balance(): Promise<bigint>;
  /** The same pool as another process of the fleet sees it. */
  replica(): PoolParts;
}

/** A private durable Redis and a devnet process whose faults can be set. */
export interface TestFleet {
  readonly server: RedisServer;
  readonly redis: CoinStoreRedis;
  readonly ledger: Ledger;
  readonly ledgerUrl: string;
  /** A sponsor that owns coins of these balances; its pool is open and empty. */
  aPool(funds: readonly bigint[], settings?: Partial<PoolSettings>): Promise<TestPool>;
  mint(owner: string, amount: bigint): Promise<void>;
  fault(fault: object): Promise<void>;
  clearFaults(): Promise<void>;
  advanceEpoch(): Promise<void>;
  /** Another transaction holds the object until the epoch ends. */
  lock(objectId: string): Promise<void>;
  /** How often the node was asked. */
  requestsOf(method: string): Promise<number>;
  stop(): Promise<void>;
}

export async function startTestFleet(): Promise<TestFleet> {
  const folder = mkdtempSync(join(tmpdir(), 'forecourt-coin-pool-'));
  const server = await startRedisServer();
  const redis = prepareCoinStore(new Redis(server.url));
  // One gate for each pool.
  redis.setMaxListeners(0);
  const [rpc, control] = [await freePort(), await freePort()];
  const ledgerUrl = `http://127.0.0.1:${rpc}`;
  const devnet = await startService({
    app: 'devnet',
    url: ledgerUrl,
    logFile: join(folder, 'devnet.log'),
    env: {
      ...inheritedEnvironment(),
      DEVNET_RPC_PORT: String(rpc),
      DEVNET_CONTROL_PORT: String(control),
      DEVNET_FAUCET_PORT: 'off',
      DEVNET_EPOCH_SECONDS: 'off',
    },
  });
  const ledger = createIotaLedger({ url: ledgerUrl, requestTimeoutMs: 10_000 });
  const connection = { url: server.url };
  const queue = new Queue<ExecuteTransactionJob>(EXECUTE_TRANSACTION_QUEUE, { connection });
  const ask = async (method: string, path: string, body?: object): Promise<unknown> => {
    const sent = body && {
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(body),
    };
    const response = await fetch(`http://127.0.0.1:${control}${path}`, { method, ...sent });
    const text = await response.text();
    if (!response.ok) throw new Error(`${method} ${path}: ${text}`);
    return text === '' ? null : JSON.parse(text);
  };
  const fleet: TestFleet = {
    server,
    redis,
    ledger,
    ledgerUrl,
    async aPool(funds, settings = {}) {
      const secret = Buffer.concat([Buffer.of(0), randomBytes(32)]).toString('base64');
      const signer = createLocalSigner(secret);
      for (const amount of funds) await fleet.mint(signer.address, amount);
      await registerSponsor(redis, signer.address);
      await openPool(redis, signer.address, await ledger.chainIdentifier());
      const all = { ...usualSettings, ...settings };
      const logged: Logged[] = [];
      const log = (fields: object, words = '') => void logged.push({ ...fields, words });
      const signers = [signer];
      const state = { opened: true, chain: null };
      const logger = { debug: log, info: log, warn: log, error: log } as PoolParts['logger'];
      const parts: PoolParts = {
        owner: randomUUID(),
        redis,
        ledger,
        queue,
        settings: all,
        signers,
        state,
        logger,
        rules: placementRules(all.targetBalance),
        gate: new ServerGate({
          redis,
          signers,
          settings: all,
          logger,
          state,
          inspect: async () => ({ runId: server.url, mayForget: false }),
          lookAgainMs: Infinity,
        }),
        metrics: poolMetrics(new Metrics()),
      };
      return {
        ...parts,
        sponsor: signer.address,
        secret,
        logged,
        replica: () => ({ ...parts, owner: randomUUID() }),
        async balance() {
          const { balance } = await readPoolTotals(redis, signer.address);
          return coinStates.reduce((sum, state) => sum + balance[state], 0n);
        },
      };
    },
    mint: async (owner, amount) =>
      void (await ask('POST', '/mint', { owner, amount: `${amount}` })),
    fault: async (fault) => void (await ask('POST', '/faults', fault)),
    clearFaults: async () => void (await ask('DELETE', '/faults')),
    advanceEpoch: async () => void (await ask('POST', '/epoch')),
    async lock(objectId) {
      await ask('POST', '/locks', {
        objectId,
        digest: 'HWKo1RcVdQgCSnFqRyfJdSgsxGfKjt2jELNFbQEyvCJ9',
      });
    },
    async requestsOf(method) {
      const { requests } = (await ask('GET', '/counters')) as { requests: Record<string, number> };
      return requests[method] ?? 0;
    },
    async stop() {
      await queue.close();
      redis.disconnect();
      await devnet.stop();
      await server.stop();
      rmSync(folder, { recursive: true, force: true });
    },
  };
  return fleet;
}

/** Asks until it holds; throws when it takes too long. */
export async function until(holds: () => Promise<boolean>): Promise<void> {
  const deadline = performance.now() + UNTIL_MS;
  while (!(await holds())) {
    if (performance.now() > deadline) throw new Error(`did not hold within ${UNTIL_MS} ms`);
    await delay(20);
  }
}
