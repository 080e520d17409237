import { type DynamicModule, Global, Inject, Module } from '@nestjs/common';
import { type CoinStoreRedis, prepareCoinStore, readNetwork } from '@forecourt/coin-store';
import { networkOfSponsors } from '@forecourt/runtime/ledger';
import { Metrics } from '@forecourt/runtime/metrics';
import { PlatformModule } from '@forecourt/runtime/platform';
import { EXECUTION_QUEUE, measureQueue } from '@forecourt/runtime/queue';
import { REDIS, type Service } from '@forecourt/runtime/service';
import { Signers, SignersModule } from '@forecourt/runtime/signers';
import type { Queue } from 'bullmq';
import { COIN_POOL_CONFIG, type CoinPoolConfig } from './coin-pool-config.js';
import { ClaimsService } from './messages/claims.service.js';
import { ExecutionJobs } from './messages/execution-jobs.js';
import { OtherPoolQuarantines } from './messages/other-pool-quarantines.js';
import { MessagesInFlight } from './messages/messages-in-flight.js';
import { InspectionsService } from './messages/inspections.service.js';
import { OperationsController } from './messages/operations.controller.js';
import { PoolReservationsService } from './messages/pool-reservations.service.js';
import { PoolSponsorsService } from './messages/pool-sponsors.service.js';
import { PoolSponsorshipsService } from './messages/pool-sponsorships.service.js';
import { ReservationsController } from './messages/reservations.controller.js';
import { ReservingService } from './messages/reserving.service.js';
import { BudgetThresholds } from './metrics/budget-thresholds.js';
import { measureDurability, measurePools } from './metrics/measure-pools.js';
import { PoolMetrics } from './metrics/pool-metrics.js';
import { InputLocks } from './pool/input-locks.js';
import { PoolOpener } from './pool/pool-opener.js';
import { poolIndicator, PoolState } from './pool/pool-state.js';
import { RegisteredSponsors } from './pool/registered-sponsors.js';
import { RestartGuard } from './pool/restart-guard.js';
import { SponsorDirectory } from './pool/sponsor-directory.js';
import { MaintenanceService } from './upkeep/maintenance.service.js';
import { MaintenanceResolver } from './upkeep/maintenance-resolver.js';
import { PoolCorrection } from './upkeep/pool-correction.js';
import { PoolFiller } from './upkeep/pool-filler.js';
import { DustConsolidator } from './upkeep/dust-consolidator.js';
import { CoinSplitter } from './upkeep/coin-splitter.js';
import { PoolNews } from './upkeep/pool-news.js';
import { PoolRecovery } from './upkeep/pool-recovery.js';
import { PoolSupervisor, UPKEEP_TASKS } from './upkeep/pool-supervisor.js';
import { ReconciliationsController } from './upkeep/reconciliations.controller.js';
import { ReservationSweeper } from './upkeep/reservation-sweeper.js';
import type { UpkeepTask } from './upkeep/upkeep-task.js';
import { WithdrawalSender } from './upkeep/withdrawal-sender.js';

const shared = [
  BudgetThresholds,
  PoolMetrics,
  PoolState,
  InputLocks,
  PoolOpener,
  RestartGuard,
  RegisteredSponsors,
  SponsorDirectory,
];

/** Configuration and the sponsors' pools, for every module of the coin-pool. */
@Global()
@Module({ providers: shared, exports: shared })
class PoolModule {
  constructor(
    metrics: Metrics,
    @Inject(REDIS) redis: CoinStoreRedis,
    signers: Signers,
    @Inject(COIN_POOL_CONFIG) settings: CoinPoolConfig,
    @Inject(EXECUTION_QUEUE) queue: Queue,
  ) {
    measurePools(metrics, redis, signers, settings);
    measureDurability(metrics, redis);
    measureQueue(metrics, queue);
  }

  static forRoot(config: CoinPoolConfig): DynamicModule {
    return {
      module: PoolModule,
      providers: [{ provide: COIN_POOL_CONFIG, useValue: config }],
      exports: [COIN_POOL_CONFIG],
    };
  }
}

/** Answers the messages of gateways, and keeps up the pools. */
@Module({
  controllers: [ReservationsController, OperationsController, ReconciliationsController],
  providers: [
    MessagesInFlight,
    ReservingService,
    PoolReservationsService,
    ClaimsService,
    OtherPoolQuarantines,
    ExecutionJobs,
    PoolSponsorsService,
    PoolSponsorshipsService,
    InspectionsService,
    MaintenanceService,
    MaintenanceResolver,
    CoinSplitter,
    PoolFiller,
    DustConsolidator,
    WithdrawalSender,
    ReservationSweeper,
    PoolCorrection,
    PoolRecovery,
    PoolNews,
    {
      provide: UPKEEP_TASKS,
      inject: [
        ReservationSweeper,
        MaintenanceResolver,
        PoolRecovery,
        PoolCorrection,
        PoolFiller,
        DustConsolidator,
        WithdrawalSender,
      ],
      useFactory: (...services: { readonly tasks: readonly UpkeepTask[] }[]) =>
        services.flatMap(({ tasks }) => tasks),
    },
    PoolSupervisor,
  ],
})
class WorkModule {}

@Module({})
export class CoinPoolModule {
  static forRoot(config: CoinPoolConfig, service: Service): DynamicModule {
    return {
      module: CoinPoolModule,
      imports: [
        PlatformModule.forRoot(service, config, {
          prepareRedis: prepareCoinStore,
          network: networkOfSponsors(readNetwork),
          ready: { inject: PoolState, indicator: poolIndicator },
        }),
        SignersModule.forRoot(config),
        PoolModule.forRoot(config),
        WorkModule,
      ],
    };
  }
}
