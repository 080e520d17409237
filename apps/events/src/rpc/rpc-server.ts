import { randomUUID } from 'node:crypto';
import {
  type BeforeApplicationShutdown,
  Inject,
  Injectable,
  type OnModuleInit,
} from '@nestjs/common';
import { HttpAdapterHost } from '@nestjs/core';
import type { FastifyAdapter } from '@nestjs/platform-fastify';
import {
  JsonRpcCode,
  JsonRpcError,
  registerRpcRoute,
  type RpcSockets,
  serveRpcSockets,
} from '@forecourt/json-rpc';
import { Metrics } from '@forecourt/runtime/metrics';
import { type Logger, LOGGER, ServiceState } from '@forecourt/runtime/service';
import { EVENTS_CONFIG } from '../config/events-config.module.js';
import type { EventsConfig } from '../config/events-config.js';
import { measureCalls } from '../metrics/measure-calls.js';
import { ClientSubscriptions } from '../subscriptions/client-subscriptions.js';
import { closeAllGracefully, closeGracefully } from './close-gracefully.js';
import { RpcClientLimits } from './rpc-client-limits.js';
import { RpcMethods } from './rpc-methods.js';

const PATH = '/rpc';
const GRACE_MS = 5_000;

/** Serves the methods at `/rpc` over HTTP and WebSocket. Closes the WebSockets when the process is told to stop. */
@Injectable()
export class RpcServer implements OnModuleInit, BeforeApplicationShutdown {
  #sockets: RpcSockets | null = null;
  #closed: Promise<void> | null = null;

  constructor(
    private readonly host: HttpAdapterHost<FastifyAdapter>,
    private readonly methods: RpcMethods,
    private readonly subscriptions: ClientSubscriptions,
    private readonly clients: RpcClientLimits,
    @Inject(EVENTS_CONFIG) private readonly config: EventsConfig,
    @Inject(LOGGER) private readonly logger: Logger,
    private readonly metrics: Metrics,
    private readonly state: ServiceState,
  ) {}

  /** Open WebSockets. */
  get connectionCount(): number {
    return this.#sockets?.connections.size ?? 0;
  }

  onModuleInit(): void {
    const { clients, config, methods, subscriptions } = this;
    const server = this.host.httpAdapter.getInstance();
    const call = measureCalls(this.metrics, methods.names, (name, params, context) =>
      methods.call(name, params, context),
    );
    const options = {
      path: PATH,
      maxBatch: config.maxBatch,
      maxResponseBytes: config.maxAnswerBytes,
      maxPendingCalls: config.maxPendingCalls,
      onInternalError: (error: unknown, method: string) => this.logError(error, method),
      clients,
    };
    registerRpcRoute(server, call, { ...options, bodyLimitBytes: config.bodyLimitBytes });
    this.#sockets = serveRpcSockets(server.server, call, {
      ...options,
      maxMessageBytes: config.bodyLimitBytes,
      maxConnections: config.maxConnections,
      pingIntervalMs: config.pingIntervalMs,
      maxBufferedBytes: config.maxBufferedBytes,
      onShed: (connection) => subscriptions.endAll(memoryExceeded(), connection),
      onHalfClosed: (connection) => closeGracefully(subscriptions, connection),
    });
    // At the beginning of the drain, so that subscribers have time to resume at another replica.
    this.state.onStop(() => void this.close());
  }

  async beforeApplicationShutdown(): Promise<void> {
    await this.close();
  }

  private async close(): Promise<void> {
    if (this.#sockets === null) return;
    await (this.#closed ??= closeAllGracefully(this.subscriptions, this.#sockets, GRACE_MS));
  }

  private logError(error: unknown, method: string): string {
    const incident = randomUUID();
    this.logger.error({ incident, method, error: (error as Error)?.stack }, 'RPC call failed');
    return incident;
  }
}

function memoryExceeded(): JsonRpcError {
  return new JsonRpcError(
    JsonRpcCode.slowConsumer,
    'Subscription ended: memory limit of this client exceeded; read faster or subscribe to less, and resume after the last event received',
  );
}
