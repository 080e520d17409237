import { Module } from '@nestjs/common';
import { LEDGER } from '@forecourt/runtime/ledger';
import { ClaimJobs, EXECUTION_QUEUE, Turns } from '@forecourt/runtime/queue';
import { LOGGER, provideClass, REDIS } from '@forecourt/runtime/service';
import { Signers } from '@forecourt/runtime/signers';
import { COIN_POOL_CONFIG } from '../coin-pool-config.js';
import { PoolMetrics } from '../metrics/pool-metrics.js';
import { InputLocks } from '../pool/input-locks.js';
import { PoolState } from '../pool/pool-state.js';
import { RestartGuard } from '../pool/restart-guard.js';
import { SponsorDirectory } from '../pool/sponsor-directory.js';
import { ChangesService } from './changes.service.js';
import { ClaimsService, ExecutionJobs, QuarantinesElsewhere } from './claims.service.js';
import { CoinPoolController } from './coin-pool.controller.js';
import { InspectionsService } from './inspections.service.js';
import { MessagesInFlight } from './messages-in-flight.js';
import { ReservationsService } from './reservations.service.js';
import { SponsorsService } from './sponsors.service.js';
import { SponsorshipsService } from './sponsorships.service.js';

/** The messages of gateways to the coin-pool. */
@Module({
  controllers: [CoinPoolController],
  providers: [
    MessagesInFlight,
    provideClass(
      ReservationsService,
      REDIS,
      COIN_POOL_CONFIG,
      SponsorDirectory,
      PoolState,
      RestartGuard,
      PoolMetrics,
    ),
    provideClass(
      ClaimsService,
      REDIS,
      COIN_POOL_CONFIG,
      ReservationsService,
      RestartGuard,
      InputLocks,
      QuarantinesElsewhere,
      ExecutionJobs,
    ),
    provideClass(QuarantinesElsewhere, REDIS, PoolState),
    provideClass(Turns, REDIS, EXECUTION_QUEUE),
    provideClass(ExecutionJobs, ClaimJobs, Turns, LOGGER),
    provideClass(SponsorsService, REDIS, Signers, PoolState, SponsorDirectory, LOGGER),
    provideClass(ChangesService, REDIS),
    provideClass(SponsorshipsService, REDIS, LEDGER, LOGGER),
    provideClass(
      InspectionsService,
      REDIS,
      LEDGER,
      COIN_POOL_CONFIG,
      PoolState,
      SponsorDirectory,
      RestartGuard,
    ),
  ],
  exports: [MessagesInFlight],
})
export class MessagesModule {}
