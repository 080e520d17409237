import { getHeapStatistics } from 'node:v8';
import {
  type BodyRefusal,
  chargeBodies,
  type ChargedBodies,
  ConnectionPlaces,
  countPlaces,
  FairShares,
  findClient,
  groupsOf,
  guardServer,
} from '@forecourt/admission';
import { FastifyAdapter, type NestFastifyApplication } from '@nestjs/platform-fastify';
import { Metrics } from '../metrics/index.js';
import { createLogger, NestLogger } from './logger.js';
import { measureHttp, traceRequests } from './observe-requests.js';
import { addMetricsRoute, listenForMetrics } from './serve-metrics.js';
import { ReplicaIdentity } from './replica-identity.js';
import { ServiceState, shutDown } from './shut-down.js';

type FastifyOptions = ConstructorParameters<typeof FastifyAdapter>[0];

export interface ServiceOptions {
  readonly name: string;
  readonly logLevel: string;
  /** Absent in a process without replica identity. */
  readonly version?: string;
  readonly metrics?: Metrics;
  /** Sends the last spans; absent: requests are not traced. */
  readonly endTracing?: (() => Promise<void>) | undefined;
}

export interface ListenOptions {
  readonly host: string;
  readonly port: number;
  /** Port of `GET /metrics`, if it differs from `port`. */
  readonly metricsPort?: number;
  /** Duration of the drain in ms: the service still serves while balancers detect its stop; absent: no drain. */
  readonly drainMs?: number;
}

/** Settings of an adapter besides the application's routes. */
export interface AdapterSettings {
  /** Whether it serves `GET /metrics` itself. */
  readonly metricsRoute?: boolean;
  /** Which clients bodies are charged to, and how bodies are refused; by default to addresses. */
  readonly bodies?: Omit<ChargedBodies, 'shares'>;
}

/** Memory for the bodies of requests, as a part of the heap limit, and the part of it that one client may use. */
const BODY_MEMORY = 1 / 8;
const BODY_SHARE = 1 / 8;

/** Time limit of a stopping service for its requests in flight, in ms. */
export const SHUTDOWN_MS = 20_000;

/** A process of the fleet: the options of its application, and its life from listening to the end. */
export class Service {
  readonly name: string;
  readonly logger: ReturnType<typeof createLogger>;
  readonly metrics: Metrics;
  readonly identity: ReplicaIdentity;
  readonly state = new ServiceState();
  /** Connections of all listeners. */
  readonly places = new ConnectionPlaces(countPlaces());
  readonly #endTracing: (() => Promise<void>) | undefined;

  constructor(options: ServiceOptions) {
    const { name, logLevel, version = '', metrics = new Metrics(), endTracing } = options;
    this.name = name;
    this.identity = new ReplicaIdentity(name, version);
    this.logger = createLogger(name, logLevel);
    this.metrics = metrics;
    this.#endTracing = endTracing;
  }

  /** For `NestFactory.create`: Nest logs through the service's logger and rethrows errors. */
  get nestOptions() {
    return { logger: new NestLogger(this.logger), abortOnError: false } as const;
  }

  /** A Fastify instance with metrics and traces of its requests, that bounds the memory and places of each client. */
  createAdapter(options: FastifyOptions = {}, also: AdapterSettings = {}): FastifyAdapter {
    const { metricsRoute = true, bodies = chargedToAddresses } = also;
    // A stopping service answers normally until its listener closes.
    const settings: object = { ...options, return503OnClosing: false };
    const adapter: FastifyAdapter = new FastifyAdapter(settings);
    const server = adapter.getInstance();
    const routes: string[] = [];
    server.addHook('onRoute', ({ method, url }) => void routes.push(`${String(method)} ${url}`));
    server.addHook('onListen', async () => this.logger.debug({ routes }, 'Routes registered'));
    guardServer(server.server, this.places);
    const shares = new FairShares({ total: bodyMemory(), share: BODY_SHARE });
    chargeBodies(server, { ...bodies, shares });
    measureHttp(server, this.metrics);
    server.addHook('onSend', (_request, reply, _payload, done) => {
      if (this.state.stopping) void reply.header('connection', 'close');
      done();
    });
    if (this.#endTracing) {
      traceRequests(server);
      server.addHook('onClose', this.#endTracing);
    }
    if (metricsRoute) addMetricsRoute(server, this.metrics);
    return adapter;
  }

  /**
   * Serves until SIGTERM or SIGINT, which turn readiness off, finish the requests in flight and end the process.
   * Throws when the application cannot start or a port is taken.
   */
  async listen(app: NestFastifyApplication, options: ListenOptions): Promise<void> {
    const { host, port, metricsPort, drainMs = 0 } = options;
    const metrics = await this.openMetrics(app, host, metricsPort);
    let isListening = false;
    const stop = (signal: string) =>
      void shutDown({
        app,
        state: this.state,
        logger: this.logger,
        signal,
        drainMs: isListening ? drainMs : 0,
        shutdownMs: SHUTDOWN_MS,
      });
    process.on('SIGTERM', stop);
    process.on('SIGINT', stop);
    await app.init();
    await app.startAllMicroservices();
    await app.listen({ host, port });
    isListening = true;
    this.logger.info({ url: await app.getUrl(), ...metrics }, 'Service listening');
  }

  /** Opens the listener for the metrics, where they have a separate port; it closes with the application. */
  private async openMetrics(
    app: NestFastifyApplication,
    host: string,
    port: number | undefined,
  ): Promise<{ readonly metricsUrl?: string }> {
    if (port === undefined) return {};
    const listener = await listenForMetrics(this.metrics, { host, port, places: this.places });
    app
      .getHttpAdapter()
      .getInstance()
      .addHook('onClose', () => listener.close());
    return { metricsUrl: listener.url };
  }
}

function bodyMemory(): number {
  return getHeapStatistics().heap_size_limit * BODY_MEMORY;
}

const REFUSALS: Readonly<Record<BodyRefusal, readonly [status: number, error: string]>> = {
  'too much': [503, 'Too many request bodies in progress; try again shortly'],
  'too slow': [408, 'Request timed out before it was complete'],
};

/** Bodies are charged to the addresses that connections come from. */
export const chargedToAddresses: Omit<ChargedBodies, 'shares'> = {
  clientOf: ({ raw }) => groupsOf(findClient(raw, () => false)),
  refuse(reply, reason) {
    const [status, error] = REFUSALS[reason];
    return reply.code(status).header('retry-after', 1).send({ error });
  },
};
