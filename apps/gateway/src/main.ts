import 'reflect-metadata';
import { NestFactory } from '@nestjs/core';
import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import { letHeapGrow, runService } from '@forecourt/runtime/service';
import { chargedToCallers, configureHttp } from './configure-http.js';
import { readGatewayConfig } from './gateway-config.js';
import { GatewayModule } from './gateway.module.js';
import { fastifyOptions } from './http/fastify-options.js';

letHeapGrow();
await runService('gateway', readGatewayConfig, async (service, config) => {
  const { host, port, metricsPort, drainMs } = config;
  const app = await NestFactory.create<NestFastifyApplication>(
    GatewayModule.forRoot(config, service),
    service.createAdapter(fastifyOptions(config), {
      metricsRoute: false,
      bodies: chargedToCallers(config),
    }),
    service.nestOptions,
  );
  configureHttp(app);
  await service.listen(app, { host, port, metricsPort, drainMs });
});
