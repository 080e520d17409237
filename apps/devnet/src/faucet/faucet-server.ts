import type { OnApplicationBootstrap, OnApplicationShutdown } from '@nestjs/common';
import { Injectable } from '@nestjs/common';
import { DevnetSettings } from '../devnet-settings.js';
import { Engine } from '../engine/engine.js';
import { FullNode } from '../engine/full-node.js';
import { createSideServer, listen } from '../http/side-server.js';
import { grantFrom } from './grant-coins.js';
import { registerFaucetRoutes } from './register-faucet-routes.js';

/** Serves the faucet on a separate port, unless it is switched off. */
@Injectable()
export class FaucetServer implements OnApplicationBootstrap, OnApplicationShutdown {
  private readonly server = createSideServer();
  url: string | null = null;

  constructor(
    private readonly settings: DevnetSettings,
    private readonly engine: Engine,
    private readonly fullNode: FullNode,
  ) {}

  async onApplicationBootstrap(): Promise<void> {
    const { host, faucetPort, faucetAmount, faucetCoins } = this.settings.config;
    if (faucetPort === null) return;
    const { engine, fullNode } = this;
    registerFaucetRoutes(this.server, grantFrom(engine, fullNode, faucetAmount, faucetCoins));
    this.url = await listen(this.server, host, faucetPort);
  }

  async onApplicationShutdown(): Promise<void> {
    await this.server.close();
  }
}
