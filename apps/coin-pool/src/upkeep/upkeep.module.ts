import { Module } from '@nestjs/common';
import type { CoinStoreRedis } from '@forecourt/coin-store';
import { LEDGER } from '@forecourt/runtime/ledger';
import { ClaimJobs } from '@forecourt/runtime/queue';
import {
  type Logger,
  LOGGER,
  provideClass,
  REDIS,
  ReplicaIdentity,
} from '@forecourt/runtime/service';
import { Signers } from '@forecourt/runtime/signers';
import { COIN_POOL_CONFIG, type CoinPoolConfig } from '../coin-pool-config.js';
import { MessagesInFlight } from '../messages/messages-in-flight.js';
import { MessagesModule } from '../messages/messages.module.js';
import { PoolMetrics } from '../metrics/pool-metrics.js';
import { InputLocks } from '../pool/input-locks.js';
import { PoolOpener } from '../pool/pool-opener.js';
import { RestartGuard } from '../pool/restart-guard.js';
import { SponsorDirectory } from '../pool/sponsor-directory.js';
import { CoinSplitter } from './coin-splitter.js';
import { DustConsolidator } from './dust-consolidator.js';
import { MaintenanceResolver } from './maintenance-resolver.js';
import { MaintenanceService } from './maintenance.service.js';
import { PoolComparison } from './pool-comparison.js';
import { PoolCorrection } from './pool-correction.js';
import { PoolFiller } from './pool-filler.js';
import { PoolLeader } from './pool-leader.js';
import { PoolNews } from './pool-news.js';
import { PoolRecovery } from './pool-recovery.js';
import { CREATE_LEADER, type CreateLeader, PoolSupervisor } from './pool-supervisor.js';
import { ReconciliationsController } from './reconciliations.controller.js';
import { ReconciliationsService } from './reconciliations.service.js';
import { ReservationSweeper } from './reservation-sweeper.js';
import { TaskRunner, type UpkeepTask } from './upkeep-task.js';
import { WithdrawalSender } from './withdrawal-sender.js';

const UPKEEP_TASKS = Symbol('UPKEEP_TASKS');
const config = COIN_POOL_CONFIG;

/** The upkeep of the pools. */
@Module({
  imports: [MessagesModule],
  controllers: [ReconciliationsController],
  providers: [
    provideClass(
      MaintenanceService,
      REDIS,
      LEDGER,
      Signers,
      config,
      RestartGuard,
      PoolMetrics,
      LOGGER,
    ),
    provideClass(
      MaintenanceResolver,
      REDIS,
      LEDGER,
      MaintenanceService,
      SponsorDirectory,
      config,
      PoolMetrics,
      LOGGER,
    ),
    provideClass(CoinSplitter, LEDGER, MaintenanceService, config),
    provideClass(PoolFiller, REDIS, CoinSplitter, Signers, config, PoolMetrics, LOGGER),
    provideClass(DustConsolidator, REDIS, LEDGER, MaintenanceService, Signers, config, LOGGER),
    provideClass(WithdrawalSender, REDIS, LEDGER, MaintenanceService, SponsorDirectory, LOGGER),
    provideClass(
      ReservationSweeper,
      REDIS,
      LEDGER,
      ClaimJobs,
      InputLocks,
      config,
      PoolMetrics,
      LOGGER,
    ),
    provideClass(PoolCorrection, REDIS, LEDGER, config, PoolMetrics, LOGGER),
    provideClass(PoolComparison, REDIS, LEDGER, PoolCorrection, config, PoolMetrics, LOGGER),
    provideClass(
      PoolRecovery,
      REDIS,
      LEDGER,
      PoolComparison,
      PoolCorrection,
      ReservationSweeper,
      config,
      PoolMetrics,
      LOGGER,
    ),
    provideClass(ReconciliationsService, PoolRecovery, SponsorDirectory),
    provideClass(PoolNews, REDIS, Signers, config, LOGGER),
    {
      provide: UPKEEP_TASKS,
      inject: [
        ReservationSweeper,
        MaintenanceResolver,
        PoolRecovery,
        PoolComparison,
        PoolFiller,
        DustConsolidator,
        WithdrawalSender,
      ],
      useFactory: (...services: { readonly tasks: readonly UpkeepTask[] }[]) =>
        services.flatMap(({ tasks }) => tasks),
    },
    {
      provide: CREATE_LEADER,
      inject: [ReplicaIdentity, REDIS, UPKEEP_TASKS, RestartGuard, config, PoolMetrics, LOGGER],
      useFactory: (
        { id }: ReplicaIdentity,
        redis: CoinStoreRedis,
        tasks: readonly UpkeepTask[],
        guard: RestartGuard,
        settings: CoinPoolConfig,
        metrics: PoolMetrics,
        logger: Logger,
      ): CreateLeader => {
        const runners = () => tasks.map((task) => new TaskRunner(task, guard, logger));
        return (sponsor) =>
          new PoolLeader(sponsor, id, redis, runners(), settings, metrics, logger);
      },
    },
    provideClass(
      PoolSupervisor,
      Signers,
      PoolOpener,
      RestartGuard,
      PoolRecovery,
      CREATE_LEADER,
      MessagesInFlight,
      LOGGER,
    ),
  ],
})
export class UpkeepModule {}
