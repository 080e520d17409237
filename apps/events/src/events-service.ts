import 'reflect-metadata';
import { NestFactory } from '@nestjs/core';
import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import { defineService, type ServiceDefinition } from '@forecourt/runtime/service';
import { readEventsConfig } from './config/events-config.js';
import { EventsModule } from './events.module.js';
import { RPC_PATH } from './rpc/rpc-server.js';

export function eventsService(): ServiceDefinition {
  return defineService('events', readEventsConfig, async (service, config) => {
    const app = await NestFactory.create<NestFastifyApplication>(
      EventsModule.forRoot(config, service),
      service.createAdapter({}, { webSocketPath: RPC_PATH }),
      service.nestOptions,
    );
    return { app, host: config.host, port: config.port };
  });
}
