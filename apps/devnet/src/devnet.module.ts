import { Module } from '@nestjs/common';
import type { DynamicModule } from '@nestjs/common';
import { TerminusModule } from '@nestjs/terminus';
import { CheckpointTimer } from './checkpoint-timer.js';
import { ControlServer } from './control/control-server.js';
import type { DevnetConfig } from './devnet-config.js';
import { DevnetSettings } from './devnet-settings.js';
import { Engine } from './engine/engine.js';
import { FullNode } from './engine/full-node.js';
import { EpochTimer } from './epoch-timer.js';
import { createEventFeed } from './events/create-event-feed.js';
import { EventFeed } from './events/event-feed.js';
import { FaucetServer } from './faucet/faucet-server.js';
import { FaultBoard } from './faults/fault-board.js';
import { NodeAvailability } from './faults/node-availability.js';
import { RecentCalls } from './faults/recent-calls.js';
import { RequestCounters } from './faults/request-counters.js';
import { HealthController } from './health.controller.js';
import { type NodeProfile, NodeProfiles, SOFT_LOCK_MS } from './node/node-profile.js';
import { RpcServer } from './rpc/rpc-server.js';

/** One ledger, its endpoints, and the faults that can be injected into them. */
@Module({})
export class DevnetModule {
  static from(config: DevnetConfig, engine: Engine): DynamicModule {
    const fullNode = engine.openFullNode();
    return {
      module: DevnetModule,
      imports: [TerminusModule],
      controllers: [HealthController],
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
        NodeAvailability,
        FaucetServer,
        ControlServer,
        EpochTimer,
        CheckpointTimer,
        RpcServer,
      ],
    };
  }
}

/** The initial behaviour of the node, which the control interface can change. */
function profileOf({ nodeVersion, nodeHeaders, lagMs }: DevnetConfig): NodeProfile {
  return {
    version: nodeVersion,
    behindIndexer: false,
    missingIsTransient: false,
    certificateless: false,
    softLockMs: SOFT_LOCK_MS,
    requiredHeaders: nodeHeaders,
    unsupportedFilters: [],
    lagMs,
  };
}
