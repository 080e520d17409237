import { Module } from '@nestjs/common';
import { AccessModule } from '../access/access.module.js';
import { CoinPoolClientModule } from '../coin-pool/coin-pool-client.module.js';
import { ExecutionsModule } from '../executions/executions.module.js';
import { ReservationsModule } from '../reservations/reservations.module.js';
import { BuildTx } from './build-tx.js';
import { BuildTxController } from './build-tx.controller.js';
import { DryRunLimit } from './dry-run-limit.js';
import { DryRunTx } from './dry-run-tx.js';
import { DryRunTxController } from './dry-run-tx.controller.js';
import { PreviewSponsorship } from './preview-sponsorship.js';

/** `POST /v1/dry_run_tx` and `POST /v1/build_tx`: what would happen to a transaction, and its completion with gas. */
@Module({
  imports: [AccessModule, CoinPoolClientModule, ExecutionsModule, ReservationsModule],
  controllers: [BuildTxController, DryRunTxController],
  providers: [BuildTx, DryRunLimit, DryRunTx, PreviewSponsorship],
})
export class DryRunsModule {}
