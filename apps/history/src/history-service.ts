import 'reflect-metadata';
import { NestFactory } from '@nestjs/core';
import type { CustomTransportStrategy } from '@nestjs/microservices';
import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import type { Environment } from '@forecourt/runtime/config';
import { defineService, type ServiceDefinition } from '@forecourt/runtime/service';
import { createMessageServer } from '@forecourt/runtime/transport';
import { readHistoryConfig } from './history-config.js';
import { HistoryModule } from './history.module.js';

/** History. `messages`: how messages arrive; by default over TCP. */
export function historyService(
  environment?: Environment,
  messages?: CustomTransportStrategy,
): ServiceDefinition {
  const read = () => readHistoryConfig(environment);
  return defineService('history', read, async (service, config) => {
    const { host, port, healthPort, fleetSecrets } = config;
    const app = await NestFactory.create<NestFastifyApplication>(
      HistoryModule.forRoot(config, service),
      service.createAdapter(),
      service.nestOptions,
    );
    const strategy = messages ?? createMessageServer({ host, port, fleetSecrets });
    app.connectMicroservice({ strategy }, { inheritAppConfig: true });
    return { app, host, port: healthPort };
  });
}
