import { type DynamicModule, type FactoryProvider, Module } from '@nestjs/common';
import { TerminusModule } from '@nestjs/terminus';
import { HealthController, INDICATORS } from './health.controller.js';
import type { Indicator } from './indicator.js';

/** `/health/live` and `/health/ready`. */
@Module({})
export class HealthModule {
  /** `ready` makes the indicators from what it injects. */
  static with(options: {
    imports?: DynamicModule['imports'];
    inject?: FactoryProvider['inject'];
    ready: (...injected: never[]) => readonly Indicator[];
  }): DynamicModule {
    return {
      module: HealthModule,
      imports: [TerminusModule.forRoot({ logger: false }), ...(options.imports ?? [])],
      controllers: [HealthController],
      providers: [
        {
          provide: INDICATORS,
          inject: options.inject ?? [],
          useFactory: options.ready as (...injected: unknown[]) => readonly Indicator[],
        },
      ],
    };
  }
}
