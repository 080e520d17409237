import type { OnApplicationBootstrap, OnApplicationShutdown } from '@nestjs/common';
import { Injectable } from '@nestjs/common';
import { DevnetSettings } from '../devnet-settings.js';
import { Engine } from '../engine/engine.js';
import { FullNode } from '../engine/full-node.js';
import { FaultBoard } from '../faults/fault-board.js';
import { NodeAvailability } from '../faults/node-availability.js';
import { RequestCounters } from '../faults/request-counters.js';
import { createSideServer, listen } from '../http/side-server.js';
import { NodeProfiles } from '../node/node-profile.js';
import { registerControlRoutes } from './register-control-routes.js';

/** Serves the control interface on a separate port; off by default. */
@Injectable()
export class ControlServer implements OnApplicationBootstrap, OnApplicationShutdown {
  private readonly server = createSideServer();
  url: string | null = null;

  constructor(
    private readonly settings: DevnetSettings,
    private readonly engine: Engine,
    private readonly fullNode: FullNode,
    private readonly faults: FaultBoard,
    private readonly counters: RequestCounters,
    private readonly availability: NodeAvailability,
    private readonly profiles: NodeProfiles,
  ) {}

  async onApplicationBootstrap(): Promise<void> {
    const { host, controlPort } = this.settings.config;
    if (controlPort === null) return;
    const { faults, counters, availability, engine, fullNode, profiles } = this;
    const dependencies = { faults, counters, availability, engine, fullNode, profiles };
    registerControlRoutes(this.server, dependencies);
    this.url = await listen(this.server, host, controlPort);
  }

  async onApplicationShutdown(): Promise<void> {
    this.faults.clearAll();
    await this.server.close();
  }
}
