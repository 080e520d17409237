import { Module } from '@nestjs/common';
import { HookCaller } from '@forecourt/policy/access';
import { RecentObjects } from '@forecourt/runtime/recent-objects';
import type { RedisConnection } from '@forecourt/runtime/redis';
import { REDIS } from '@forecourt/runtime/service';
import { AccessModule } from '../access/access.module.js';
import type { GatewayConfig } from '../gateway-config.js';
import { GATEWAY_CONFIG } from '../gateway-config.module.js';
import { AccessExplanationsController } from './access-explanations.controller.js';
import { DryRunsController } from './dry-runs.controller.js';
import { DryRunsService } from './dry-runs.service.js';
import { ExecutionsController } from './executions.controller.js';
import { ExecutionsService } from './executions.service.js';
import { ForecastChecks } from './forecast-checks.js';
import { Outcomes } from './outcomes.js';
import { LedgerChecks } from './ledger-checks.js';
import { RefusalLimit } from './refusal-limit.js';
import { ReservationsController } from './reservations.controller.js';
import { ReservationsService } from './reservations.service.js';
import { TransactionDecisions } from './transaction-decisions.js';
import { DecisionFacts } from './decision-facts.js';
import { TransactionReader } from './transaction-reader.js';
import { ExecutionMetrics } from './execution-metrics.js';
import { QueueBound } from './queue-bound.js';
import { LandedTransactions } from './landed-transactions.js';
import { UndecidedInputs } from './undecided-inputs.js';

/**
 * The routes with which applications have transactions sponsored: reserve, release, dry run, build, execute.
 */
@Module({
  imports: [AccessModule],
  controllers: [
    AccessExplanationsController,
    DryRunsController,
    ExecutionsController,
    ReservationsController,
  ],
  providers: [
    DryRunsService,
    ExecutionMetrics,
    ExecutionsService,
    ForecastChecks,
    LandedTransactions,
    LedgerChecks,
    Outcomes,
    QueueBound,
    RefusalLimit,
    ReservationsService,
    DecisionFacts,
    TransactionDecisions,
    TransactionReader,
    UndecidedInputs,
    {
      provide: HookCaller,
      inject: [GATEWAY_CONFIG],
      useFactory: ({ hookSecret }: GatewayConfig) => new HookCaller(hookSecret),
    },
    {
      provide: RecentObjects,
      inject: [REDIS],
      useFactory: (redis: RedisConnection) => new RecentObjects(redis),
    },
  ],
  exports: [Outcomes],
})
export class SponsoringModule {}
