import { type DynamicModule, Global, Module } from '@nestjs/common';
import type { EventsConfig } from './events-config.js';

/** Injection token of `EventsConfig`. */
export const EVENTS_CONFIG = Symbol('EVENTS_CONFIG');

/** The configuration, for every module. */
@Global()
@Module({})
export class EventsConfigModule {
  static forRoot(config: EventsConfig): DynamicModule {
    return {
      module: EventsConfigModule,
      providers: [{ provide: EVENTS_CONFIG, useValue: config }],
      exports: [EVENTS_CONFIG],
    };
  }
}
