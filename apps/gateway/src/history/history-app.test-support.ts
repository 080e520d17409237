import 'reflect-metadata';
import type { ModuleMetadata } from '@nestjs/common';
import { APP_FILTER, NestFactory } from '@nestjs/core';
import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import { type Caller, CONFIGURED_CALLER, Tokens } from '@forecourt/policy/tokens';
import type { RedisConnection } from '@forecourt/runtime/redis';
import { Service, ServiceModule, type ServiceState } from '@forecourt/runtime/service';
import { AccessPolicy } from '../access/access-policy.js';
import { Pauses } from '../access/pauses.js';
import { RequestAdmission } from '../access/request-admission.js';
import { CoinPoolClient } from '../coin-pool/coin-pool-client.js';
import { CompatibilityListener } from '../compatibility/compatibility-listener.js';
import { configureHttp } from '../configure-http.js';
import { EventsProxy } from '../events-proxy/events-proxy.js';
import { type GatewayConfig, readGatewayConfig } from '../gateway-config.js';
import { GatewayConfigModule } from '../gateway-config.module.js';
import { RefusalRecorder } from '../refusals/refusal-recorder.js';
import { Outcomes } from '../sponsoring/outcomes.js';
import { WebhookDeliveriesController } from '../webhooks/webhook-deliveries.controller.js';
import { WebhooksController } from '../webhooks/webhooks.controller.js';
import { HistoryClient } from './history-client.js';
import { LatencyController } from './latency.controller.js';
import { OutcomeWaits } from './outcome-waits.js';
import { full, type Records } from './records.test-support.js';
import { RefusalsController } from './refusals.controller.js';
import { SponsorshipsController } from './sponsorships.controller.js';
import { SponsorshipsService } from './sponsorships.service.js';
import { UsageController } from './usage.controller.js';
import { UsageService } from './usage.service.js';
import { RateLimits } from '../access/rate-limits.js';
import { RequestAuthorization } from '../access/request-authorization.js';
import { ErrorAnswerFilter } from '../http/error-answer-filter.js';
import { UnansweredRequests } from '../http/unanswered-requests.js';
import { fastifyOptions } from '../http/fastify-options.js';
import type { LandedTransactions } from '../sponsoring/landed-transactions.js';

const caller = (name: string, role: 'sponsor' | 'operator' | 'auditor'): Caller => ({
  ...CONFIGURED_CALLER,
  name,
  token: name,
  roles: new Set([role]),
});

/** The callers by their bearer tokens. */
export const callers = {
  shop: caller('shop', 'sponsor'),
  other: caller('other', 'sponsor'),
  alice: { ...caller('shop', 'sponsor'), name: `shop:${full('a')}`, sender: full('a') },
  bob: { ...caller('shop', 'sponsor'), name: `shop:${full('b')}`, sender: full('b') },
  operator: caller('ops', 'operator'),
  auditor: caller('audit', 'auditor'),
  all: CONFIGURED_CALLER,
} as const satisfies Readonly<Record<string, Caller>>;
export type CallerName = keyof typeof callers;

interface Answer {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
  // Typed loosely, because tests check the body as it arrived.
  readonly body: { readonly error?: string; readonly result?: never };
}

export interface HistoryApp {
  get(path: string, by?: CallerName | null, init?: RequestInit): Promise<Answer>;
  readonly url: string;
  readonly outcomes: Outcomes;
  /** The stop of its process. */
  readonly state: ServiceState;
  /** Gives the bearer tokens to other callers. */
  setCallers(others: Readonly<Record<string, Caller>>): void;
  close(): Promise<void>;
}

/** Further routes. */
type Also = Required<Pick<ModuleMetadata, 'controllers' | 'providers'>>;

/** The routes of a gateway in front of these records. */
export async function startHistoryApp(
  records: Records,
  { isOn = true, ...over }: Partial<GatewayConfig> & { readonly isOn?: boolean } = {},
  { controllers, providers }: Also = { controllers: [], providers: [] },
): Promise<HistoryApp> {
  const environment = { GAS_STATION_AUTH: 'token', ALLOW_UNAUTHENTICATED_FLEET: 'true' };
  const config = { ...readGatewayConfig(environment), ...over };
  const service = new Service({ name: 'test', logLevel: 'silent' });
  const access = { tokens: tokensOf(callers) };
  const { coinPool } = records;
  const { logger, host } = service;
  // Waits need neither Redis nor the ledger: events arrive through `receive`.
  const redis = {} as RedisConnection;
  const landed = {} as LandedTransactions;
  const outcomes = new Outcomes(config, redis, logger, host.state, coinPool, landed, host.replies);
  const app = await NestFactory.create<NestFastifyApplication>(
    {
      module: class TestModule {},
      imports: [ServiceModule.forRoot(service), GatewayConfigModule.forRoot(config)],
      controllers: [
        SponsorshipsController,
        RefusalsController,
        UsageController,
        LatencyController,
        WebhooksController,
        WebhookDeliveriesController,
        ...controllers,
      ],
      providers: [
        CompatibilityListener,
        EventsProxy,
        OutcomeWaits,
        RequestAdmission,
        RequestAuthorization,
        SponsorshipsService,
        UnansweredRequests,
        UsageService,
        { provide: AccessPolicy, useValue: access },
        { provide: APP_FILTER, useClass: ErrorAnswerFilter },
        { provide: CoinPoolClient, useValue: coinPool },
        { provide: HistoryClient, useValue: isOn ? records.history : new HistoryClient(config) },
        { provide: Outcomes, useFactory: () => withoutHooks(outcomes) },
        { provide: Pauses, useValue: { requireRunning: () => undefined } },
        { provide: RefusalRecorder, useValue: { attachTo: () => undefined } },
        { provide: RateLimits, useValue: { count: async () => null } },
        ...providers,
      ],
    },
    service.createAdapter(fastifyOptions(config), { metricsRoute: false }),
    service.nestOptions,
  );
  configureHttp(app);
  await app.listen(0, '127.0.0.1');
  const url = await app.getUrl();
  return {
    url,
    outcomes,
    state: host.state,
    setCallers(others) {
      access.tokens = tokensOf(others);
    },
    close: () => app.close(),
    async get(path, by = 'shop', init = {}) {
      const headers = {
        ...(by !== null && { authorization: `Bearer ${by}` }),
        ...(init.headers as Record<string, string> | undefined),
      };
      const response = await fetch(`${url}${path}`, { ...init, headers });
      const text = await response.text();
      const isJson = response.headers.get('content-type')?.startsWith('application/json');
      const body = (isJson ? JSON.parse(text) : {}) as Answer['body'];
      return { status: response.status, headers: response.headers, text, body };
    },
  };
}

function tokensOf(known: Readonly<Record<string, Caller>>): Tokens {
  const tokens = new Tokens([], [], false);
  tokens.identify = async (header) => {
    const caller = known[header?.replace('Bearer ', '') ?? ''];
    return caller ? { caller } : { challenge: 'Bearer' };
  };
  return tokens;
}

/** The part that waits for outcomes, without the subscription to Redis that Nest would begin. */
function withoutHooks(outcomes: Outcomes) {
  return { gateway: outcomes.gateway, watch: outcomes.watch.bind(outcomes) };
}
