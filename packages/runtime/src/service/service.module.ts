import { ConnectionPlaces, ProcessorShares } from '@forecourt/admission';
import { type DynamicModule, Module } from '@nestjs/common';
import { Metrics } from '../metrics/index.js';
import { LOGGER } from './logger.js';
import type { Service } from './service.js';
import { ServiceState } from './service-state.js';
import { DirectReplies } from './direct-replies.js';
import { ReplicaIdentity } from './replica-identity.js';

/**
 * The process's logger, metrics, identity and state, and what its clients share, for every module of a
 * service.
 */
@Module({})
export class ServiceModule {
  static forRoot({ logger, metrics, identity, host }: Service): DynamicModule {
    return {
      module: ServiceModule,
      global: true,
      providers: [
        { provide: LOGGER, useValue: logger },
        { provide: Metrics, useValue: metrics },
        { provide: ReplicaIdentity, useValue: identity },
        { provide: ServiceState, useValue: host.state },
        { provide: DirectReplies, useValue: host.replies },
        { provide: ConnectionPlaces, useValue: host.places },
        { provide: ProcessorShares, useValue: host.processor },
      ],
      exports: [
        LOGGER,
        Metrics,
        ReplicaIdentity,
        ServiceState,
        DirectReplies,
        ConnectionPlaces,
        ProcessorShares,
      ],
    };
  }
}
