import { Module } from '@nestjs/common';
import { CheckPool } from './check-pool.js';
import { ClaimReservation } from './claim-reservation.js';
import { CoinPoolController } from './coin-pool.controller.js';
import { ExplainTransaction } from './explain-transaction.js';
import { FindReservation } from './find-reservation.js';
import { InspectPools } from './inspect-pools.js';
import { MessagesInFlight } from './messages-in-flight.js';
import { ReadUsages } from './read-usages.js';
import { ReleaseReservation } from './release-reservation.js';
import { ReserveGas } from './reserve-gas.js';

/** What gateways ask of the coin-pool. */
@Module({
  controllers: [CoinPoolController],
  providers: [
    CheckPool,
    ClaimReservation,
    ExplainTransaction,
    FindReservation,
    InspectPools,
    MessagesInFlight,
    ReadUsages,
    ReleaseReservation,
    ReserveGas,
  ],
  exports: [MessagesInFlight],
})
export class MessagesModule {}
