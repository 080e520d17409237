import { Module } from '@nestjs/common';
import { ReplicasModule } from '@forecourt/runtime/service';
import { CoinPoolClientModule } from '../coin-pool/coin-pool-client.module.js';
import { EventsReplicas } from './events-replicas.js';
import { ExplainTransactionController } from './explain-transaction.controller.js';
import { ExplainTransaction } from './explain-transaction.js';
import { FindDecisions } from './find-decisions.js';
import { FindOnLedger } from './find-on-ledger.js';
import { InspectFleetController } from './inspect-fleet.controller.js';
import { InspectFleet } from './inspect-fleet.js';

/** `GET /v1/fleet` and `GET /v1/explain`: what operators see of the fleet, and of one transaction. */
@Module({
  imports: [CoinPoolClientModule, ReplicasModule],
  controllers: [InspectFleetController, ExplainTransactionController],
  providers: [EventsReplicas, ExplainTransaction, FindDecisions, FindOnLedger, InspectFleet],
})
export class InspectionModule {}
