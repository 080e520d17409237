import { Module } from '@nestjs/common';
import { AccessModule } from '../access/access.module.js';
import { AuthorizationModule } from '../authorization/authorization.module.js';
import { CoinPoolClientModule } from '../coin-pool/coin-pool-client.module.js';
import { RememberedReservations } from './remembered-reservations.js';
import { ReserveGasController } from './reserve-gas.controller.js';

/** `POST /v1/reserve_gas`. */
@Module({
  imports: [AccessModule, AuthorizationModule, CoinPoolClientModule],
  controllers: [ReserveGasController],
  providers: [RememberedReservations],
  exports: [RememberedReservations],
})
export class ReservationsModule {}
