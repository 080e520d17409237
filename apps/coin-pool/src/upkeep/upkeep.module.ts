import { Module } from '@nestjs/common';
import { MessagesModule } from '../messages/messages.module.js';
import { MaintenanceResolver, MaintenanceService } from './maintenance.service.js';
import { PoolCorrection } from './pool-correction.js';
import { CoinSplitter, DustConsolidator, PoolFiller } from './pool-filler.js';
import { PoolNews } from './pool-news.js';
import { PoolRecovery } from './pool-recovery.js';
import { PoolSupervisor, UPKEEP_TASKS } from './pool-supervisor.js';
import { ReconciliationsController } from './reconciliations.controller.js';
import { ReservationSweeper } from './reservation-sweeper.js';
import type { UpkeepTask } from './upkeep-task.js';
import { WithdrawalSender } from './withdrawal-sender.js';

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
export class UpkeepModule {}
