import { randomUUID } from 'node:crypto';
import {
  Inject,
  Injectable,
  type BeforeApplicationShutdown,
  type OnModuleInit,
} from '@nestjs/common';
import { JsonRpcCode, JsonRpcError } from '@forecourt/contracts';
import {
  registerRpcRoute,
  type RpcConnection,
  type RpcSockets,
  serveRpcSockets,
} from '@forecourt/json-rpc';
import { type Logger, LOGGER, ServiceState } from '@forecourt/runtime/service';
import { HttpAdapterHost } from '@nestjs/core';
import type { FastifyAdapter } from '@nestjs/platform-fastify';
import { EVENTS_CONFIG } from '../config/events-config.module.js';
import type { EventsConfig } from '../config/events-config.js';
import { SubscriptionHub } from '../subscriptions/subscription-hub.js';
import { RpcMethods } from './rpc-methods.js';
import { RpcClientLimits } from './rpc-client-limits.js';

/** Of the methods, over HTTP and WebSockets. */
export const RPC_PATH = '/rpc';
const GRACE_MS = 5_000;
const GOING_AWAY = 1001;
const GOING_AWAY_REASON = 'going away: reconnect and resume after the last event received';

/** Serves the methods at `/rpc` over HTTP and WebSocket. Closes the WebSockets when the service stops. */
@Injectable()
export class RpcServer implements OnModuleInit, BeforeApplicationShutdown {
  #sockets: RpcSockets | null = null;
  #closed: Promise<void> | null = null;

  constructor(
    private readonly host: HttpAdapterHost<FastifyAdapter>,
    private readonly methods: RpcMethods,
    private readonly subscriptions: SubscriptionHub,
    private readonly clients: RpcClientLimits,
    @Inject(EVENTS_CONFIG) private readonly config: EventsConfig,
    @Inject(LOGGER) private readonly logger: Logger,
    private readonly state: ServiceState,
  ) {}

  /** Open WebSockets. */
  get connectionCount(): number {
    return this.#sockets?.connections.size ?? 0;
  }

  onModuleInit(): void {
    const { clients, config, subscriptions } = this;
    const { call } = this.methods;
    const server = this.host.httpAdapter.getInstance();
    const options = {
      path: RPC_PATH,
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
      onHalfClosed: (connection) => this.closeGracefully(connection),
    });
    // At the beginning of the drain, so that subscribers have time to resume at another replica.
    this.state.onStop(() => void this.close());
  }

  async beforeApplicationShutdown(): Promise<void> {
    await this.close();
  }

  private async close(): Promise<void> {
    this.#closed ??= this.closeAll();
    await this.#closed;
  }

  /** Resolves when all connections are closed, at the latest after the grace period. */
  private async closeAll(): Promise<void> {
    this.subscriptions.endAll(shuttingDown());
    await this.#sockets?.close(GOING_AWAY_REASON, GRACE_MS);
  }

  private closeGracefully(connection: RpcConnection): void {
    this.subscriptions.endAll(shuttingDown(), connection);
    connection.close(GOING_AWAY, GOING_AWAY_REASON);
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

function shuttingDown(): JsonRpcError {
  return new JsonRpcError(
    JsonRpcCode.shuttingDown,
    'Subscription ended: the service is shutting down; reconnect and resume after the last event received',
  );
}
