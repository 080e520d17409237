import { type CoinStoreRedis, coinStates, readPoolTotals } from '@forecourt/coin-store';
import type { ExecutionJob } from '@forecourt/contracts';
import { type Ledger, type Signer } from '@forecourt/ledger';
import type { ClaimJobs } from '@forecourt/runtime/queue';
import type { Logger } from '@forecourt/runtime/service';
import { Metrics } from '@forecourt/runtime/metrics';
import { Signers } from '@forecourt/runtime/signers';
import type { Queue } from 'bullmq';
import type { CoinPoolConfig } from './coin-pool-config.js';
import { InspectionsService } from './messages/inspections.service.js';
import { PoolReservationsService } from './messages/pool-reservations.service.js';
import { ReservingService } from './messages/reserving.service.js';
import { PoolSponsorshipsService } from './messages/pool-sponsorships.service.js';
import { BudgetThresholds } from './metrics/budget-thresholds.js';
import { PoolMetrics } from './metrics/pool-metrics.js';
import { InputLocks } from './pool/input-locks.js';
import { PoolOpener } from './pool/pool-opener.js';
import { PoolState } from './pool/pool-state.js';
import { RegisteredSponsors } from './pool/registered-sponsors.js';
import { RestartGuard } from './pool/restart-guard.js';
import { SponsorDirectory } from './pool/sponsor-directory.js';
import { MaintenanceService } from './upkeep/maintenance.service.js';
import { MaintenanceResolver } from './upkeep/maintenance-resolver.js';
import { PoolCorrection } from './upkeep/pool-correction.js';
import { PoolFiller } from './upkeep/pool-filler.js';
import { DustConsolidator } from './upkeep/dust-consolidator.js';
import { CoinSplitter } from './upkeep/coin-splitter.js';
import { PoolRecovery } from './upkeep/pool-recovery.js';
import { TaskRunner } from './upkeep/task-runner.js';
import { PoolLeader } from './upkeep/pool-leader.js';
import { ReservationSweeper } from './upkeep/reservation-sweeper.js';
import { WithdrawalSender } from './upkeep/withdrawal-sender.js';

export type PoolSettings = Pick<
  CoinPoolConfig,
  | 'auditMs'
  | 'claimLeaseMs'
  | 'consolidateAt'
  | 'historyBacklog'
  | 'holdMs'
  | 'minCoins'
  | 'minFreeShare'
  | 'redisMode'
  | 'requeueAfterMs'
  | 'retentionMs'
  | 'scanMs'
  | 'splitConcurrency'
  | 'submitWithinMs'
  | 'targetBalance'
  | 'targetCoins'
  | 'withdrawAddresses'
>;

export const usualSettings: PoolSettings = {
  redisMode: 'single',
  targetBalance: 100_000_000n,
  targetCoins: 10,
  minCoins: 5,
  minFreeShare: 0,
  splitConcurrency: 8,
  consolidateAt: 50,
  historyBacklog: null,
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

/** Everything that the services of a coin-pool work with; a test may replace it part by part. */
export interface Parts {
  /** Names the process in the lock of the leader. */
  readonly owner: string;
  readonly redis: CoinStoreRedis;
  readonly ledger: Ledger;
  readonly queue: Queue<ExecutionJob>;
  readonly jobs: ClaimJobs;
  readonly settings: CoinPoolConfig;
  readonly keys: Signers;
  readonly state: PoolState;
  readonly metrics: PoolMetrics;
  readonly logger: Logger;
  readonly sponsor: string;
  readonly signer: Signer;
  readonly secret: string;
  readonly logged: Logged[];
}

/** A new sponsor with a new pool, and the services of a coin-pool for it. */
export type TestPool = ReturnType<typeof createPool>;

export function createPool(parts: Parts) {
  const { owner, redis, ledger, jobs, settings, keys, state, metrics, logger, sponsor } = parts;
  const thresholds = new BudgetThresholds(new Metrics());
  const inputLocks = new InputLocks(redis);
  const opener = new PoolOpener(redis, ledger, settings, state, logger);
  const guard = new RestartGuard(redis, keys, settings, state, opener, logger);
  const registered = new RegisteredSponsors(redis);
  const directory = new SponsorDirectory(keys, settings, state);
  const maintenance = new MaintenanceService(redis, ledger, keys, settings, guard, metrics, logger);
  const splitter = new CoinSplitter(ledger, maintenance, settings);
  const sweeper = new ReservationSweeper(
    redis,
    ledger,
    jobs,
    inputLocks,
    settings,
    metrics,
    logger,
  );
  const correction = new PoolCorrection(redis, ledger, settings, metrics, logger);
  const upkeep = {
    sweeper,
    correction,
    resolver: new MaintenanceResolver(
      redis,
      ledger,
      maintenance,
      directory,
      settings,
      metrics,
      logger,
    ),
    recovery: new PoolRecovery(redis, ledger, correction, sweeper, settings, metrics, logger),
    filler: new PoolFiller(redis, splitter, keys, settings, metrics, logger),
    consolidator: new DustConsolidator(redis, ledger, maintenance, keys, settings, logger),
    withdrawals: new WithdrawalSender(redis, ledger, maintenance, guard, directory, logger),
  };
  const tasks = Object.values(upkeep).flatMap((service) => service.tasks);
  return {
    ...parts,
    ...upkeep,
    opener,
    guard,
    registered,
    directory,
    thresholds,
    tasks,
    reserving: new ReservingService(redis, settings, directory, state, guard, metrics),
    reservations: new PoolReservationsService(
      redis,
      settings,
      registered,
      directory,
      guard,
      thresholds,
    ),
    inspections: new InspectionsService(
      redis,
      ledger,
      keys,
      settings,
      state,
      registered,
      directory,
      guard,
    ),
    sponsorships: new PoolSponsorshipsService(redis, ledger, guard, logger),
    leader: () => {
      const runners = tasks.map((task) => new TaskRunner(task, guard, logger));
      return new PoolLeader(sponsor, owner, redis, runners, settings, metrics, logger);
    },
    /** The same pool with some parts replaced. */
    with: ({ settings: changed, ...changes }: PoolChanges) =>
      createPool({ ...parts, ...changes, settings: { ...settings, ...changed } }),
    /** All coins of the pool, in any state. */
    async balance(): Promise<bigint> {
      const { balance } = await readPoolTotals(redis, sponsor);
      return coinStates.reduce((sum, state) => sum + balance[state], 0n);
    },
  };
}

type PoolChanges = Partial<Omit<Parts, 'settings'>> & {
  readonly settings?: Partial<PoolSettings>;
};
