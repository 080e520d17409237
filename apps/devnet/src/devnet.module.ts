import { Controller, Get, Module, type DynamicModule } from '@nestjs/common';
import {
  HealthCheckService,
  HealthIndicatorService,
  type HealthCheckResult,
  TerminusModule,
} from '@nestjs/terminus';
import { Engine } from './engine/engine.js';
import { CheckpointTimer } from './checkpoint-timer.js';
import { EpochTimer } from './epoch-timer.js';
import { ControlServer } from './control/control-server.js';
import type { DevnetConfig } from './devnet-config.js';
import { DevnetSettings } from './devnet-settings.js';
import { FullNode } from './engine/full-node.js';
import { createEventFeed, EventFeed } from './events/event-feed.js';
import { FaucetServer } from './faucet/faucet-server.js';
import { FaultBoard } from './faults/fault-board.js';
import { NodeAvailability } from './faults/node-availability.js';
import { RecentCalls } from './faults/recent-calls.js';
import { RequestCounters } from './faults/request-counters.js';
import { GRPC_LAG, NO_LAG, type NodeProfile, SOFT_LOCK_MS } from './node/node-profile.js';
import { NodeProfiles } from './node/node-profiles.js';
import { FalseResults } from './faults/false-results.js';
import { FaultyCalls } from './faults/faulty-calls.js';
import { GrpcListener } from './http/grpc-listener.js';
import { GrpcServer } from './grpc/grpc-server.js';
import { DevnetRpcServer } from './rpc/devnet-rpc-server.js';

/** `live`: the process responds. `ready`: so does the ledger. */
@Controller('health')
class DevnetHealthController {
  constructor(
    private readonly health: HealthCheckService,
    private readonly indicators: HealthIndicatorService,
    private readonly engine: Engine,
  ) {}

  @Get('live')
  live(): Promise<HealthCheckResult> {
    return this.health.check([]);
  }

  @Get('ready')
  ready(): Promise<HealthCheckResult> {
    return this.health.check([
      () => {
        const checkpoint = this.engine.latestCheckpoint.sequenceNumber;
        return this.indicators.check('ledger').up({ checkpoint });
      },
    ]);
  }
}

/** One ledger, its endpoints, and the faults that can be injected into them. */
@Module({})
export class DevnetModule {
  static forRoot(config: DevnetConfig, engine: Engine): DynamicModule {
    const fullNode = engine.openFullNode();
    return {
      module: DevnetModule,
      imports: [TerminusModule],
      controllers: [DevnetHealthController],
      providers: [
        { provide: DevnetSettings, useValue: new DevnetSettings(config) },
        { provide: Engine, useValue: engine },
        { provide: FullNode, useValue: fullNode },
        { provide: EventFeed, useFactory: () => createEventFeed(fullNode, config) },
        {
          provide: NodeProfiles,
          useFactory: () => new NodeProfiles(profileOf(config), engine, fullNode),
        },
        FaultBoard,
        RecentCalls,
        RequestCounters,
        FalseResults,
        FaultyCalls,
        NodeAvailability,
        FaucetServer,
        ControlServer,
        EpochTimer,
        CheckpointTimer,
        DevnetRpcServer,
        GrpcListener,
        GrpcServer,
      ],
    };
  }
}

/** The initial behaviour of the node, which the control interface can change. */
function profileOf({ lagMs, grpcPort }: DevnetConfig): NodeProfile {
  return {
    version: '2025',
    behindIndexer: false,
    missingIsTransient: false,
    certificateless: false,
    softLockMs: SOFT_LOCK_MS,
    requiredHeaders: {},
    unsupportedFilters: [],
    lagMs: lagMs ?? (grpcPort === null ? NO_LAG : GRPC_LAG),
  };
}
