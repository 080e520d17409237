import { Module } from '@nestjs/common';
import { RecentObjects } from '@forecourt/runtime/recent-objects';
import { EXECUTION_QUEUE, Turns } from '@forecourt/runtime/queue';
import type { RedisConnection } from '@forecourt/runtime/redis';
import { REDIS } from '@forecourt/runtime/service';
import type { Queue } from 'bullmq';
import { AccessModule } from '../access/access.module.js';
import { CoinPoolClientModule } from '../coin-pool/coin-pool-client.module.js';
import { ReservationsModule } from '../reservations/reservations.module.js';
import { ClaimReservation } from './claim-reservation.js';
import { EnqueueExecution } from './enqueue-execution.js';
import { ExecuteTx } from './execute-tx.js';
import { ExecuteTxController } from './execute-tx.controller.js';
import { ExecutionMetrics } from './execution-metrics.js';
import { FirstLooks } from './first-looks.js';
import { FindLanded } from './find-landed.js';
import { InputChecks } from './input-checks.js';
import { LandedTransactions } from './landed-transactions.js';
import { OutcomeListener } from './outcome-listener.js';
import { OutcomeWatchers } from './outcome-watchers.js';
import { QueueBackpressure } from './queue-backpressure.js';
import { RefusedExecutions } from './refused-executions.js';
import { ShownParts } from './shown-parts.js';
import { UndecidedInputs } from './undecided-inputs.js';
import { VerifyUserSignature } from './verify-user-signature.js';
import { WaitForOutcome } from './wait-for-outcome.js';

/** `POST /v1/execute_tx`: checks, claims, enqueues and waits. */
@Module({
  imports: [AccessModule, CoinPoolClientModule, ReservationsModule],
  controllers: [ExecuteTxController],
  providers: [
    ClaimReservation,
    EnqueueExecution,
    ExecuteTx,
    ExecutionMetrics,
    FindLanded,
    FirstLooks,
    InputChecks,
    LandedTransactions,
    OutcomeListener,
    OutcomeWatchers,
    QueueBackpressure,
    RefusedExecutions,
    ShownParts,
    UndecidedInputs,
    VerifyUserSignature,
    WaitForOutcome,
    {
      provide: Turns,
      inject: [REDIS, EXECUTION_QUEUE],
      useFactory: (redis: RedisConnection, queue: Queue) => new Turns(redis, queue),
    },
    {
      provide: RecentObjects,
      inject: [REDIS],
      useFactory: (redis: RedisConnection) => new RecentObjects(redis),
    },
  ],
  exports: [RefusedExecutions, UndecidedInputs],
})
export class ExecutionsModule {}
