import { createServer, type RequestListener, type ServerOptions } from 'node:http';
import { randomUUID } from 'node:crypto';
import { hostname } from 'node:os';
import {
  type BodyRefusal,
  chargeBodies,
  type ChargedBodies,
  findClient,
  groupsOf,
  guardServer,
  readJson,
  requestsUpgradedAt,
} from '@forecourt/admission';
import { FastifyAdapter, type NestFastifyApplication } from '@nestjs/platform-fastify';
import {
  context,
  type Context,
  propagation,
  type Span,
  SpanKind,
  SpanStatusCode,
  trace,
} from '@opentelemetry/api';
import { Metrics } from '../metrics/index.js';
import { HostProcess } from './host-process.js';
import { createLogger, NestLogger } from './logger.js';
import type { BodyDeclaration } from './declare-route.js';
import { addMetricsRoute, type FastifyServer, listenForMetrics } from './serve-metrics.js';

type FastifyOptions = ConstructorParameters<typeof FastifyAdapter>[0];
/** Those of Fastify's options, with its defaults, that concern the HTTP server. */
interface ServerSettings {
  readonly http?: ServerOptions;
  readonly keepAliveTimeout: number;
  readonly requestTimeout: number;
}

export interface ServiceOptions {
  readonly name: string;
  readonly logLevel: string;
  /** Absent in a process without replica identity. */
  readonly version?: string;
  readonly metrics?: Metrics;
  /** Whether requests are traced (default: no). */
  readonly traced?: boolean;
  /** Absent: the service is alone in its process. */
  readonly host?: HostProcess;
}

export interface ListenOptions {
  readonly host: string;
  readonly port: number;
  /** Port of `GET /metrics`, if it differs from `port`. */
  readonly metricsPort?: number;
}

/** Settings of an adapter besides the application's routes. */
interface AdapterSettings {
  /** Whether it serves `GET /metrics` itself. */
  readonly metricsRoute?: boolean;
  /** Which clients bodies are charged to, and how bodies are refused; by default to addresses. */
  readonly bodies?: Omit<ChargedBodies, 'shares' | 'processor'>;
  /** Where it serves WebSockets, if at all. */
  readonly webSocketPath?: string;
}

/** A service of the fleet: the options of its application, and its listeners. */
export class Service {
  readonly name: string;
  readonly logger: ReturnType<typeof createLogger>;
  readonly metrics: Metrics;
  readonly identity: ReplicaIdentity;
  readonly host: HostProcess;
  readonly #traced: boolean;

  constructor(options: ServiceOptions) {
    const { name, logLevel, version = '', metrics = new Metrics(), traced = false } = options;
    this.name = name;
    this.host = options.host ?? new HostProcess(name, logLevel);
    this.identity = new ReplicaIdentity(name, version);
    this.logger = createLogger(name, logLevel);
    this.metrics = metrics;
    this.#traced = traced;
  }

  /** For `NestFactory.create`: Nest logs through the process's logger and rethrows errors. */
  get nestOptions() {
    return { logger: new NestLogger(this.host.logger), abortOnError: false } as const;
  }

  /** A Fastify instance with metrics and traces of its requests, that bounds the memory and places of each client. */
  createAdapter(options: FastifyOptions = {}, also: AdapterSettings = {}): FastifyAdapter {
    const { metricsRoute = true, bodies = chargedToAddresses, webSocketPath } = also;
    const IncomingMessage = requestsUpgradedAt(webSocketPath);
    const { places, bodies: shares, processor, state } = this.host;
    const settings: object = {
      bodyLimit: DEFAULT_BODY_BYTES,
      ...options,
      serverFactory(
        handle: RequestListener,
        { http, keepAliveTimeout, requestTimeout }: ServerSettings,
      ) {
        const server = createServer({ ...http, IncomingMessage });
        Object.assign(server, { keepAliveTimeout, requestTimeout });
        return guardServer(server, places, handle);
      },
      // A stopping service answers normally until its listener closes.
      return503OnClosing: false,
    };
    const adapter: FastifyAdapter = new FastifyAdapter(settings);
    const server = adapter.getInstance();
    const routes: string[] = [];
    server.addHook('onRoute', ({ method, url }) => void routes.push(`${String(method)} ${url}`));
    server.addHook('onListen', async () => this.logger.debug({ routes }, 'Routes registered'));
    const charged = { ...bodies, shares, processor };
    chargeBodies(server, charged);
    limitBodiesByRoute(server);
    adapter.useBodyParser('application/json', false, {}, readJson(server, charged));
    measureHttp(server, this.metrics);
    server.addHook('onSend', (_request, reply, _payload, done) => {
      if (state.stopping) void reply.header('connection', 'close');
      done();
    });
    if (this.#traced) traceRequests(server);
    if (metricsRoute) addMetricsRoute(server, this.metrics);
    return adapter;
  }

  /** Begins to serve. Throws when the application cannot start or a port is taken. */
  async listen(app: NestFastifyApplication, options: ListenOptions): Promise<void> {
    const { host, port, metricsPort } = options;
    const metrics = await this.openMetrics(app, host, metricsPort);
    await app.init();
    await app.startAllMicroservices();
    await app.listen({ host, port });
    this.logger.info({ url: await app.getUrl(), ...metrics }, 'Service listening');
  }

  /** Opens the listener for the metrics, where they have a separate port; it closes with the application. */
  private async openMetrics(
    app: NestFastifyApplication,
    host: string,
    port: number | undefined,
  ): Promise<{ readonly metricsUrl?: string }> {
    if (port === undefined) return {};
    const { places } = this.host;
    const listener = await listenForMetrics(this.metrics, { host, port, places });
    app
      .getHttpAdapter()
      .getInstance()
      .addHook('onClose', () => listener.close());
    return { metricsUrl: listener.url };
  }
}

/** Enough for the names, numbers and reasons that most requests carry. */
const DEFAULT_BODY_BYTES = 4_096;

/** Sets the limits that routes declare with `MostBodyBytes`. */
function limitBodiesByRoute(server: FastifyServer): void {
  server.addHook('onRoute', (route) => {
    const { mostBodyBytes } = (route.config ?? {}) as BodyDeclaration;
    if (mostBodyBytes !== undefined) route.bodyLimit = mostBodyBytes;
  });
}

const REFUSALS: Readonly<Record<BodyRefusal, readonly [status: number, error: string]>> = {
  'too much': [503, 'Too many request bodies in progress; try again shortly'],
  'too slow': [408, 'Request timed out before it was complete'],
};

/** Bodies are charged to the addresses that connections come from. */
const chargedToAddresses: Omit<ChargedBodies, 'shares' | 'processor'> = {
  clientOf: ({ raw }) => groupsOf(findClient(raw, () => false)),
  refuse(reply, reason) {
    const [status, error] = REFUSALS[reason];
    return reply.code(status).header('retry-after', 1).send({ error });
  },
};

/** Counts and times requests by route, which is the pattern and not the requested path. */
export function measureHttp(server: FastifyServer, metrics: Metrics): void {
  const requests = metrics.counter<{ method: string; route: string; status: string }>({
    name: 'http_requests_total',
    help: 'Requests answered, by route and status.',
    labels: ['method', 'route', 'status'],
  });
  const duration = metrics.histogram<{ method: string; route: string }>({
    name: 'http_request_duration_seconds',
    help: 'How long requests took until their answer was sent.',
    labels: ['method', 'route'],
  });
  server.addHook('onResponse', (request, reply, done) => {
    const { method } = request;
    const route = request.routeOptions.url ?? 'none';
    requests.add({ method, route, status: String(reply.statusCode) });
    // A stream lasts as long as its client listens.
    const isStream = String(reply.getHeader('content-type')).startsWith('text/event-stream');
    if (!isStream) duration.observe({ method, route }, reply.elapsedTime / 1_000);
    done();
  });
}

const UNTRACED = /^\/(?:health\/|metrics$)/;

/** Makes each request a span of its caller's trace (`traceparent`), or the beginning of a new trace. */
function traceRequests(server: FastifyServer): void {
  const spans = new WeakMap<object, { readonly span: Span; readonly within: Context }>();
  server.addHook('onRequest', (request, _reply, done) => {
    const route = request.routeOptions.url;
    if (route === undefined || UNTRACED.test(route)) return done();
    const parent = propagation.extract(context.active(), request.headers);
    const attributes = { 'http.request.method': request.method, 'http.route': route };
    const span = trace
      .getTracer('forecourt')
      .startSpan(`${request.method} ${route}`, { kind: SpanKind.SERVER, attributes }, parent);
    const within = trace.setSpan(parent, span);
    spans.set(request, { span, within });
    context.with(within, done);
  });
  // Restores the context, which was lost while the body was read.
  server.addHook('preValidation', (request, _reply, done) => {
    const traced = spans.get(request);
    if (traced) context.with(traced.within, done);
    else done();
  });
  server.addHook('onResponse', async (request, { statusCode }) => {
    const span = spans.get(request)?.span;
    if (!span) return;
    span.setAttribute('http.response.status_code', statusCode);
    if (statusCode >= 500) span.setStatus({ code: SpanStatusCode.ERROR });
    span.end();
  });
}

/** The identity of this process among the processes of the fleet. */
export class ReplicaIdentity {
  /** Unique name of the process, never reused by a later one. */
  readonly id = `${hostname()}-${randomUUID().slice(0, 13)}`;
  /** Milliseconds since 1970. */
  readonly startedAt = Date.now();

  constructor(
    /** Name of the app. */
    readonly service: string,
    /** Result of `readVersion`. */
    readonly version: string,
  ) {}
}
