import {
  Controller,
  type DynamicModule,
  type FactoryProvider,
  Get,
  Inject,
  Module,
} from '@nestjs/common';
import {
  HealthCheck,
  type HealthCheckResult,
  HealthCheckService,
  HealthIndicatorService,
  TerminusModule,
} from '@nestjs/terminus';
import { Public } from '../declare-route.js';
import { ServiceState } from '../shut-down.js';
import type { HealthIndicators } from './indicator.js';

export const HEALTH_INDICATORS = Symbol('HEALTH_INDICATORS');

const TIMEOUT_MS = 2_500;
/** Requests within this time share one check. Longer than `TIMEOUT_MS`: a running check is shared too. */
const SHARED_FOR_MS = 3_000;

/**
 * Live: the process answers. Ready: this replica can answer, if only with 503 because a shared dependency is
 * missing. Dependencies: whether the shared dependencies answer.
 */
@Controller('health')
export class HealthController {
  constructor(
    private readonly checks: HealthCheckService,
    private readonly sessions: HealthIndicatorService,
    private readonly state: ServiceState,
    @Inject(HEALTH_INDICATORS) private readonly indicators: HealthIndicators,
  ) {}

  @Get('live')
  @Public()
  live(): { status: string } {
    return { status: 'ok' };
  }

  /**
   * Checks nothing outside the process: the outage of a shared dependency would take all replicas out of their
   * balancer at once. A response proves that the service listens and its event loop runs.
   */
  @Get('ready')
  @Public()
  // Documentation would load @nestjs/swagger into every service; only the gateway has an API description.
  @HealthCheck({ noCache: true, swaggerDocumentation: false })
  ready(): Promise<HealthCheckResult> {
    const process = () => {
      const session = this.sessions.check('process');
      return this.state.stopping ? session.down('shutting down') : session.up();
    };
    const own = this.indicators.replica.map(
      ({ name, check }) =>
        () =>
          Promise.resolve(this.sessions.check(name).attempt(check)),
    );
    return this.checks.check([process, ...own]);
  }

  @Get('dependencies')
  @Public()
  @HealthCheck({ noCache: true, swaggerDocumentation: false })
  dependencies(): Promise<HealthCheckResult> {
    return this.checks.check(
      this.indicators.dependencies.map(
        ({ name, check }) =>
          () =>
            Promise.resolve(
              this.sessions
                .check(name)
                .attempt(check)
                .withTimeout(TIMEOUT_MS)
                .cacheFor(SHARED_FOR_MS),
            ),
      ),
    );
  }
}

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
