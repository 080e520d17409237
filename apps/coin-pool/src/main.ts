import 'reflect-metadata';
import { createMessageServer } from '@forecourt/runtime/transport';
import { startService } from '@forecourt/runtime/service';
import { readCoinPoolConfig } from './coin-pool-config.js';
import { CoinPoolModule } from './coin-pool.module.js';

await startService('coin-pool', readCoinPoolConfig, (config) => ({
  module: CoinPoolModule.forRoot(config),
  host: config.host,
  port: config.healthPort,
  logLevel: config.logLevel,
  drainMs: config.drainMs,
  configure: (app) => {
    const { host, port, fleetSecrets } = config;
    const strategy = createMessageServer({ host, port, fleetSecrets });
    app.connectMicroservice({ strategy }, { inheritAppConfig: true });
  },
}));
