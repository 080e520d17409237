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
import { REPLICAS_KEY } from '@forecourt/contracts';
import { Public } from './declare-route.js';
import type { RedisConnection } from '../redis/index.js';
import { ServiceState } from './service-state.js';

const HEALTH_INDICATORS = Symbol('HEALTH_INDICATORS');

const TIMEOUT_MS = 2_500;
/** Requests within this time share one check. Longer than `TIMEOUT_MS`: a running check is shared too. */
const SHARED_FOR_MS = 3_000;

/**
 * Live: the process answers. Ready: this replica can answer, if only with 503 because a shared dependency is
 * missing. Dependencies: whether the shared dependencies answer.
 */
@Controller('health')
class HealthController {
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
   * Checks nothing outside the process: the outage of a shared dependency would take all replicas out of
   * their balancer at once. A response proves that the service listens and its event loop runs.
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

/** A check made by a probe. `check` throws when its subject is down; its result is shown. */
export interface Indicator {
  readonly name: string;
  readonly check: () => Promise<Record<string, unknown> | void>;
}

/** The checks of a service's probes. */
export interface HealthIndicators {
  /** Preconditions of this replica's answers, known without a call: another replica may meet them. */
  readonly replica: readonly Indicator[];
  /** Dependencies of all replicas, such as Redis and the ledger. */
  readonly dependencies: readonly Indicator[];
}

/**
 * Succeeds when Redis takes writes: a Redis whose memory is full, or a replica, answers PING as well. The
 * command would change an entry that never exists, so it changes nothing. In a cluster, it reaches one
 * master.
 */
export function redisIndicator(redis: RedisConnection): Indicator {
  return {
    name: 'redis',
    check: async () => void (await redis.zadd(REPLICAS_KEY, 'XX', 0, 'no replica')),
  };
}

/** Succeeds when the queue's own connection answers and the queue can be read. */
export function queueIndicator(queue: {
  readonly name: string;
  getJobCounts(...types: ('wait' | 'active' | 'delayed')[]): Promise<Record<string, number>>;
}): Indicator {
  return { name: 'queue', check: () => queue.getJobCounts('wait', 'active', 'delayed') };
}

/** Succeeds when a ledger node answers; shows its epoch. */
export function ledgerIndicator(ledger: {
  chainIdentifier(): Promise<string>;
  status(): Promise<{ epoch: bigint }>;
}): Indicator {
  return {
    name: 'ledger',
    // The status is cached; the network's identifier is the cheapest call that proves that a node responds.
    check: async () => {
      await ledger.chainIdentifier();
      return { epoch: String((await ledger.status()).epoch) };
    },
  };
}
