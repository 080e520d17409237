import { Module } from '@nestjs/common';
import type { CoinStoreRedis } from '@forecourt/coin-store';
import { type Logger, LOGGER, REDIS, ReplicaIdentity } from '@forecourt/runtime/service';
import { COIN_POOL_CONFIG, type CoinPoolConfig } from '../coin-pool-config.js';
import { MessagesModule } from '../messages/messages.module.js';
import { PoolMetrics } from '../metrics/pool-metrics.js';
import { RestartGuard } from '../pool/restart-guard.js';
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

/** The upkeep of the pools. */
@Module({
  imports: [MessagesModule],
  controllers: [ReconciliationsController],
  providers: [
    MaintenanceService,
    MaintenanceResolver,
    CoinSplitter,
    PoolFiller,
    DustConsolidator,
    WithdrawalSender,
    ReservationSweeper,
    PoolCorrection,
    PoolComparison,
    PoolRecovery,
    ReconciliationsService,
    PoolNews,
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
      inject: [
        ReplicaIdentity,
        REDIS,
        UPKEEP_TASKS,
        RestartGuard,
        COIN_POOL_CONFIG,
        PoolMetrics,
        LOGGER,
      ],
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
    PoolSupervisor,
  ],
})
export class UpkeepModule {}
