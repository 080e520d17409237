import 'reflect-metadata';
import { NestFactory } from '@nestjs/core';
import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import { runService } from '@forecourt/runtime/service';
import { createMessageServer } from '@forecourt/runtime/transport';
import { readCoinPoolConfig } from './coin-pool-config.js';
import { CoinPoolModule } from './coin-pool.module.js';

await runService('coin-pool', readCoinPoolConfig, async (service, config) => {
  const { host, port, healthPort, drainMs, fleetSecrets } = config;
  const app = await NestFactory.create<NestFastifyApplication>(
    CoinPoolModule.forRoot(config, service),
    service.createAdapter(),
    service.nestOptions,
  );
  const strategy = createMessageServer({ host, port, fleetSecrets });
  app.connectMicroservice({ strategy }, { inheritAppConfig: true });
  await service.listen(app, { host, port: healthPort, drainMs });
});
