import 'reflect-metadata';
import { startService } from '@forecourt/runtime/service';
import { readEventsConfig } from './config/events-config.js';
import { EventsModule } from './events.module.js';

await startService('events', readEventsConfig, (config) => ({
  module: EventsModule.with(config),
  host: config.host,
  port: config.port,
  logLevel: config.logLevel,
  drainMs: config.drainMs,
}));
