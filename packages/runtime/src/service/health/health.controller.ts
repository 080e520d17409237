import { Controller, Get, Inject } from '@nestjs/common';
import {
  HealthCheck,
  type HealthCheckResult,
  HealthCheckService,
  HealthIndicatorService,
} from '@nestjs/terminus';
import { Public } from '../routes/declare-route.js';
import { ServiceState } from '../service-state.js';
import type { Indicator } from './indicator.js';

export const INDICATORS = Symbol('INDICATORS');

const TIMEOUT_MS = 2_000;
/** Probes that arrive together share one check of each dependency. */
const SHARED_FOR_MS = 250;

/** The probes of a service. Live: the process answers. Ready: so does everything it needs. */
@Controller('health')
export class HealthController {
  constructor(
    private readonly checks: HealthCheckService,
    private readonly indicators: HealthIndicatorService,
    private readonly state: ServiceState,
    @Inject(INDICATORS) private readonly needed: readonly Indicator[],
  ) {}

  @Get('live')
  @Public()
  live(): { status: string } {
    return { status: 'ok' };
  }

  @Get('ready')
  @Public()
  // Documentation would load @nestjs/swagger into every service; only the gateway has an API description.
  @HealthCheck({ noCache: true, swaggerDocumentation: false })
  ready(): Promise<HealthCheckResult> {
    const process = () => {
      const session = this.indicators.check('process');
      return this.state.stopping ? session.down('shutting down') : session.up();
    };
    const needed = this.needed.map(
      ({ name, check }) =>
        () =>
          Promise.resolve(
            this.indicators
              .check(name)
              .attempt(check)
              .withTimeout(TIMEOUT_MS)
              .cacheFor(SHARED_FOR_MS),
          ),
    );
    return this.checks.check([process, ...needed]);
  }
}
