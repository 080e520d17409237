import { Module } from '@nestjs/common';
import { CheckPool } from './check-pool.js';
import { ClaimReservation } from './claim-reservation.js';
import { CoinPoolController } from './coin-pool.controller.js';
import { DrainSponsor } from './drain-sponsor.js';
import { ExplainTransaction } from './explain-transaction.js';
import { FindReservation } from './find-reservation.js';
import { InspectPools } from './inspect-pools.js';
import { ListSponsors } from './list-sponsors.js';
import { LockInputs } from './lock-inputs.js';
import { MessagesInFlight } from './messages-in-flight.js';
import { ReadUsages } from './read-usages.js';
import { ReleaseReservation } from './release-reservation.js';
import { ReserveGas } from './reserve-gas.js';
import { UndrainSponsor } from './undrain-sponsor.js';
import { WithdrawFunds } from './withdraw-funds.js';

/** The messages of gateways to the coin-pool. */
@Module({
  controllers: [CoinPoolController],
  providers: [
    CheckPool,
    ClaimReservation,
    DrainSponsor,
    ExplainTransaction,
    FindReservation,
    InspectPools,
    ListSponsors,
    LockInputs,
    MessagesInFlight,
    ReadUsages,
    ReleaseReservation,
    ReserveGas,
    UndrainSponsor,
    WithdrawFunds,
  ],
  exports: [MessagesInFlight],
})
export class MessagesModule {}
