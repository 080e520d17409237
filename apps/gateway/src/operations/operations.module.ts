import { Module } from '@nestjs/common';
import { ReplicasModule } from '@forecourt/runtime/service';
import { AccessModule } from '../access/access.module.js';
import { BudgetsService } from './budgets.service.js';
import { EventsIndexClient } from './events-index-client.js';
import { EventsIndexController } from './events-index.controller.js';
import { EventsReplicas } from './events-replicas.js';
import { ExplanationsController } from './explanations.controller.js';
import { ExplanationsService } from './explanations.service.js';
import { FleetController } from './fleet.controller.js';
import { FleetService } from './fleet.service.js';
import { FleetTokens } from './fleet-tokens.js';
import { LedgerLookup } from './ledger-lookup.js';
import { LimitsController } from './limits.controller.js';
import { LoggedDecisions } from './logged-decisions.js';
import { OverviewService } from './overview.service.js';
import { PausesController } from './pauses.controller.js';
import { ServiceInfoController } from './service-info.controller.js';
import { SponsorsController } from './sponsors.controller.js';
import { SponsorsService } from './sponsors.service.js';

/** The routes of operators, and those of health and version. */
@Module({
  imports: [AccessModule, ReplicasModule],
  controllers: [
    EventsIndexController,
    ExplanationsController,
    FleetController,
    LimitsController,
    PausesController,
    ServiceInfoController,
    SponsorsController,
  ],
  providers: [
    BudgetsService,
    EventsIndexClient,
    EventsReplicas,
    ExplanationsService,
    FleetService,
    FleetTokens,
    LedgerLookup,
    LoggedDecisions,
    OverviewService,
    SponsorsService,
  ],
})
export class OperationsModule {}
