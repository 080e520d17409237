import {
  auditPool,
  beginExecutions,
  claimReservations,
  type CoinStoreRedis,
  coinStates,
  expireReservations,
  listSponsors,
  prepareCoinStore,
  readPoolTotals,
} from '@forecourt/coin-store';
import {
  type App,
  type DevnetControl,
  devnetControl,
  type Finished,
  runApp,
  type ServiceProcess,
  type System,
  waitUntil,
} from '@forecourt/testing/system';
import type { PostgresServer } from '@forecourt/postgres';
import { createIotaLedger } from '@forecourt/ledger';
import { readConfig, redisVariables } from '@forecourt/runtime/config';
import { openRedis } from '@forecourt/runtime/redis';
import { only } from '@forecourt/testing/redis';
import { IotaClient } from '@iota/iota-sdk/client';
import type { Transaction } from '@iota/iota-sdk/transactions';
import type { Application, Reservation, SignedTransaction } from './application.js';

const DEMO_PACKAGE = '0xdec0';
/** For the outcomes of reservations that a test ends. */
const RETENTION_MS = 60_000;

type Totals = Awaited<ReturnType<typeof readPoolTotals>>;

/** A whole Forecourt on a devnet with configurable faults, and the checks of tests. */
export interface TestSystem {
  /** At the first gateway. */
  readonly application: Application;
  /** One at each gateway. */
  readonly applications: readonly Application[];
  readonly ledger: IotaClient;
  readonly control: DevnetControl;
  readonly sponsor: string;
  readonly sponsorSecret: string;
  readonly demo: {
    abort(tx: Transaction, code: number): void;
    /** Uses this many units of computation. */
    burn(tx: Transaction, units: number): void;
  };
  readonly ledgerUrl: string;
  /** The same node as the services use it. */
  readonly nodeUrl: string;
  readonly redisUrl: string;
  readonly services: (app: App) => readonly ServiceProcess[];
  readonly restart: (app: App) => Promise<void>;
  /** Kills Redis; its data survives only in a configured folder. */
  readonly stopRedis: () => Promise<void>;
  /** Of history, where the system has started one. */
  readonly postgres: () => PostgresServer;
  readonly startRedis: () => Promise<void>;
  /** The pool's own totals, now. */
  readonly totals: () => Promise<Totals>;
  /** Number and balance of all coins of the pool once nothing is in flight. */
  readonly settledTotals: () => Promise<{ coins: number; balance: bigint }>;
  /** Waits until the pool has the configured number of available coins. */
  readonly untilFilled: () => Promise<void>;
  readonly untilAvailable: (coins: number) => Promise<void>;
  /** Waits until the store has no record of a reservation. */
  readonly untilForgotten: (reservationId: number) => Promise<void>;
  /** Polls until the condition holds; throws after a timeout. */
  readonly until: (holds: () => Promise<boolean>, withinMs?: number) => Promise<void>;
  /** The findings of an audit of every pool, one sentence each; empty: pools and ledger agree. */
  readonly differences: () => Promise<readonly string[]>;
  /** The same with the audit command. */
  readonly audit: (args?: readonly string[]) => Promise<Finished>;
  /** Starts another gateway with different settings, and returns how it ends. */
  readonly tryGateway: (env: Record<string, string>) => Promise<Finished>;
  /** Kills one that does not end within `timeoutMs`. */
  readonly tryCoinPool: (env: Record<string, string>, timeoutMs?: number) => Promise<Finished>;
  readonly tryExecutor: (env: Record<string, string>) => Promise<Finished>;
  /** Creates the state of a gateway that died between its claim and its job. */
  readonly claimWithoutJob: (
    reservation: Reservation,
    transaction: SignedTransaction,
  ) => Promise<number>;
  /** Creates the state after the queue lost a job that an executor had begun. */
  readonly beginWithoutJob: (
    reservation: Reservation,
    transaction: SignedTransaction,
  ) => Promise<void>;
  /** Ends every reservation that is open, as if its time were over. */
  readonly endReservations: () => Promise<void>;
  /** Closes the connections of this object; the system keeps running. */
  readonly disconnect: () => void;
  readonly stop: () => Promise<void>;
}

function callDemo(tx: Transaction, name: string, value: number): void {
  tx.moveCall({ target: `${DEMO_PACKAGE}::garage::${name}`, arguments: [tx.pure.u64(value)] });
}

const ANY_PORTS = {
  GATEWAY_PORT: '0',
  GATEWAY_METRICS_PORT: '0',
  GATEWAY_COMPATIBILITY_PORT: '0',
};

/** Connects to a system that `testOptions` describe. */
export async function connectTestSystem(system: System): Promise<TestSystem> {
  const { env } = system.services('coin-pool')[0]!.options;
  const redis: CoinStoreRedis = prepareCoinStore(
    openRedis(readConfig(redisVariables, { ...env, REDIS_URL: system.facts.redisUrl })),
  );
  redis.on('error', () => undefined);
  const ledger = new IotaClient({ url: system.facts.ledgerUrl });
  const token = system.token;
  const applications = system.gatewayUrls.map((url) => ({ url, token, ledger }));
  const totals = () => readPoolTotals(redis, system.sponsor);
  const test: TestSystem = {
    applications,
    ledger,
    totals,
    sponsor: system.sponsor,
    application: applications[0]!,
    control: devnetControl(system.controlUrl!),
    sponsorSecret: system.facts.sponsorSecrets[0]!,
    ledgerUrl: system.facts.ledgerUrl,
    nodeUrl: system.facts.nodeUrl,
    redisUrl: system.facts.redisUrl,
    demo: {
      abort: (tx, code) => callDemo(tx, 'fail', code),
      burn: (tx, units) => callDemo(tx, 'burn', units),
    },
    services: (app) => system.services(app),
    restart: async (app) => {
      for (const service of system.services(app)) await service.restart();
    },
    postgres: () => system.database!.server!,
    stopRedis: () => system.redis!.stop('SIGKILL'),
    startRedis: () => system.redis!.start(),
    async settledTotals() {
      await test.until(async () => {
        const { coins } = await totals();
        return coins.claimed + coins.executing + coins.maintenance === 0n;
      });
      await test.control.untilShown();
      const { coins, balance } = await totals();
      return {
        coins: coinStates.reduce((sum, state) => sum + Number(coins[state]), 0),
        balance: coinStates.reduce((sum, state) => sum + balance[state], 0n),
      };
    },
    untilFilled: () => {
      const target = BigInt(env['POOL_TARGET_COINS']!);
      return test.until(async () => (await totals()).coins.available >= target);
    },
    untilAvailable: (coins) =>
      waitUntil(async () => (await totals()).coins.available === BigInt(coins), {
        what: `exactly ${coins} available coins`,
      }),
    untilForgotten: (reservationId) => {
      const key = `fc:{${system.sponsor}}:reservation:${reservationId}`;
      return waitUntil(async () => (await redis.exists(key)) === 0, { what: `the end of ${key}` });
    },
    until: (holds, timeoutMs) =>
      waitUntil(holds, { ...(timeoutMs !== undefined && { timeoutMs }) }),
    async differences() {
      await test.control.untilShown();
      const node = createIotaLedger({ urls: [system.facts.ledgerUrl] });
      const sponsors = [...(await listSponsors(redis)).values()];
      if (sponsors.length === 0) throw new Error('no pool exists');
      const audits = await Promise.all(sponsors.map((one) => auditPool(redis, node, one)));
      return audits.flatMap(({ differences }) => differences);
    },
    async audit(args) {
      await test.control.untilShown();
      return system.audit(args);
    },
    tryGateway: (env) => {
      const settings = { ...system.services('gateway')[0]!.options.env, ...env, ...ANY_PORTS };
      return runApp('gateway', settings);
    },
    tryCoinPool: (env, timeoutMs) => {
      const ports = { COIN_POOL_PORT: '0', COIN_POOL_HEALTH_PORT: '0' };
      const settings = { ...system.services('coin-pool')[0]!.options.env, ...env, ...ports };
      return runApp('coin-pool', settings, { timeoutMs });
    },
    tryExecutor: (env) => {
      const [executor] = system.services('executor');
      return runApp('executor', { ...executor!.options.env, ...env, EXECUTOR_HEALTH_PORT: '0' });
    },
    async claimWithoutJob({ reservation_id: reservationId }, { digest, tx_bytes, user_sig }) {
      const claimed = await only(
        claimReservations(redis, system.sponsor, [
          {
            reservationId,
            digest,
            caller: 'default',
            leaseMs: 2_000,
            txBytes: tx_bytes,
            userSig: user_sig,
            usage: [],
            rule: '',
            inputs: [],
            waiter: { gateway: 'died', requestType: 'waitForEffectsCert' },
          },
        ]),
      );
      if (claimed.result !== 'claimed') throw new Error(`the claim answered ${claimed.result}`);
      return claimed.fence;
    },
    async beginWithoutJob(reservation, transaction) {
      const fence = await test.claimWithoutJob(reservation, transaction);
      await only(
        beginExecutions(redis, system.sponsor, 'died', [
          { reservationId: reservation.reservation_id, digest: transaction.digest, fence },
        ]),
      );
    },
    async endReservations() {
      for (const sponsor of (await listSponsors(redis)).values()) {
        const reserved = `fc:{${sponsor}}:reserved`;
        const ids = await redis.zrange(reserved, '0', '-1');
        for (const id of ids) await redis.zadd(reserved, 'XX', '0', id);
        await expireReservations(redis, sponsor, { limit: ids.length, retentionMs: RETENTION_MS });
      }
    },
    disconnect: () => redis.disconnect(),
    async stop() {
      redis.disconnect();
      await system.stop();
    },
  };
  return test;
}
