import { createServer, type RequestListener, type ServerOptions } from 'node:http';
import {
  chargeBodies,
  type ChargedBodies,
  guardServer,
  readJson,
  requestsUpgradedAt,
} from '@forecourt/admission';
import { FastifyAdapter, type NestFastifyApplication } from '@nestjs/platform-fastify';
import { Metrics } from '../metrics/index.js';
import { HostProcess } from './host-process.js';
import { createLogger } from './logger.js';
import { type BodyDeclaration, DEFAULT_BODY_BYTES } from './declare-route.js';
import { addMetricsRoute, type FastifyServer, listenForMetrics } from './serve-metrics.js';
import { NestLogger } from './nest-logger.js';
import { endConnections } from './end-connections.js';
import { measureHttp } from './measure-http.js';
import { traceRequests } from './trace-requests.js';
import { ReplicaIdentity } from './replica-identity.js';
import { chargedToAddresses } from './charged-to-addresses.js';

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

  /**
   * A Fastify instance with metrics and traces of its requests, that bounds the memory and places of each
   * client.
   */
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
    endConnections(server, state);
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

/** Sets the limits that routes declare with `MostBodyBytes`. */
function limitBodiesByRoute(server: FastifyServer): void {
  server.addHook('onRoute', (route) => {
    const { mostBodyBytes } = (route.config ?? {}) as BodyDeclaration;
    if (mostBodyBytes !== undefined) route.bodyLimit = mostBodyBytes;
  });
}
