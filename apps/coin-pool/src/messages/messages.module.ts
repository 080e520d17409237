import { Module } from '@nestjs/common';
import { EXECUTION_QUEUE, Turns } from '@forecourt/runtime/queue';
import { provideClass, REDIS } from '@forecourt/runtime/service';
import { ChangesService } from './changes.service.js';
import { ClaimsService, ExecutionJobs, QuarantinesElsewhere } from './claims.service.js';
import { CoinPoolController, MessagesInFlight } from './coin-pool.controller.js';
import { InspectionsService } from './inspections.service.js';
import { ReservationsService } from './reservations.service.js';
import { SponsorsService } from './sponsors.service.js';
import { SponsorshipsService } from './sponsorships.service.js';

/** The messages of gateways to the coin-pool. */
@Module({
  controllers: [CoinPoolController],
  providers: [
    MessagesInFlight,
    ReservationsService,
    ClaimsService,
    QuarantinesElsewhere,
    provideClass(Turns, REDIS, EXECUTION_QUEUE),
    ExecutionJobs,
    SponsorsService,
    ChangesService,
    SponsorshipsService,
    InspectionsService,
  ],
  exports: [MessagesInFlight],
})
export class MessagesModule {}
