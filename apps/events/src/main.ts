import 'reflect-metadata';
import { NestFactory } from '@nestjs/core';
import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import { letHeapGrow, runService } from '@forecourt/runtime/service';
import { readEventsConfig } from './config/events-config.js';
import { EventsModule } from './events.module.js';

letHeapGrow();
await runService('events', readEventsConfig, async (service, config) => {
  const { host, port, drainMs } = config;
  const app = await NestFactory.create<NestFastifyApplication>(
    EventsModule.with(config, service),
    service.createAdapter(),
    service.nestOptions,
  );
  await service.listen(app, { host, port, drainMs });
});
