import { Module } from '@nestjs/common';
import { EXECUTION_QUEUE, Turns } from '@forecourt/runtime/queue';
import type { RedisConnection } from '@forecourt/runtime/redis';
import { REDIS } from '@forecourt/runtime/service';
import type { Queue } from 'bullmq';
import { ChangesService } from './changes.service.js';
import { ClaimsService, ExecutionJobs, OtherPoolQuarantines } from './claims.service.js';
import { CoinPoolController, MessagesInFlight } from './coin-pool.controller.js';
import { InspectionsService } from './inspections.service.js';
import { PoolReservationsService } from './pool-reservations.service.js';
import { PoolSponsorsService } from './pool-sponsors.service.js';
import { PoolSponsorshipsService } from './pool-sponsorships.service.js';

/** The messages of gateways to the coin-pool. */
@Module({
  controllers: [CoinPoolController],
  providers: [
    MessagesInFlight,
    PoolReservationsService,
    ClaimsService,
    OtherPoolQuarantines,
    {
      provide: Turns,
      inject: [REDIS, EXECUTION_QUEUE],
      useFactory: (redis: RedisConnection, queue: Queue) => new Turns(redis, queue),
    },
    ExecutionJobs,
    PoolSponsorsService,
    ChangesService,
    PoolSponsorshipsService,
    InspectionsService,
  ],
  exports: [MessagesInFlight],
})
export class MessagesModule {}
