import { type DynamicModule, type FactoryProvider, Module } from '@nestjs/common';
import { TerminusModule } from '@nestjs/terminus';
import { HEALTH_INDICATORS, HealthController } from './health.controller.js';
import type { HealthIndicators } from './indicator.js';

/** `/health/live`, `/health/ready` and `/health/dependencies`. */
@Module({})
export class HealthModule {
  /** `indicators` creates the indicators from the injected providers. */
  static with(options: {
    imports?: DynamicModule['imports'];
    inject?: FactoryProvider['inject'];
    indicators: (...injected: never[]) => HealthIndicators;
  }): DynamicModule {
    return {
      module: HealthModule,
      imports: [TerminusModule.forRoot({ logger: false }), ...(options.imports ?? [])],
      controllers: [HealthController],
      providers: [
        {
          provide: HEALTH_INDICATORS,
          inject: options.inject ?? [],
          useFactory: options.indicators as (...injected: unknown[]) => HealthIndicators,
        },
      ],
    };
  }
}
