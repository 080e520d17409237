import { Module } from '@nestjs/common';
import { CoinPoolClientModule } from '../coin-pool/coin-pool-client.module.js';
import { OperatorActionsModule } from '../operator-actions/operator-actions.module.js';
import { DrainSponsorController } from './drain-sponsor.controller.js';
import { ListSponsorsController } from './list-sponsors.controller.js';
import { SponsorStatuses } from './sponsor-statuses.js';
import { WithdrawFundsController } from './withdraw-funds.controller.js';

/** `GET /v1/sponsors`, and `POST` of `/v1/drain`, `/v1/undrain`, `/v1/withdraw` and `/v1/check_withdrawal`. */
@Module({
  imports: [CoinPoolClientModule, OperatorActionsModule],
  controllers: [DrainSponsorController, ListSponsorsController, WithdrawFundsController],
  providers: [SponsorStatuses],
})
export class SponsorsModule {}
