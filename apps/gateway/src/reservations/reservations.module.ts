import { Module } from '@nestjs/common';
import { AccessModule } from '../access/access.module.js';
import { CoinPoolClientModule } from '../coin-pool/coin-pool-client.module.js';
import { ReleaseGasController } from './release-gas.controller.js';
import { ReleaseUnusedReservation } from './release-unused-reservation.js';
import { RememberedReservations } from './remembered-reservations.js';
import { ReserveGas } from './reserve-gas.js';
import { ReserveGasController } from './reserve-gas.controller.js';

/** `POST /v1/reserve_gas` and `POST /v1/release_gas`. */
@Module({
  imports: [AccessModule, CoinPoolClientModule],
  controllers: [ReserveGasController, ReleaseGasController],
  providers: [ReleaseUnusedReservation, RememberedReservations, ReserveGas],
  exports: [ReleaseUnusedReservation, RememberedReservations, ReserveGas],
})
export class ReservationsModule {}
