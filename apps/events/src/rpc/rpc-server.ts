import {
  type BeforeApplicationShutdown,
  Injectable,
  Inject,
  type OnModuleInit,
} from '@nestjs/common';
import { HttpAdapterHost } from '@nestjs/core';
import type { FastifyAdapter } from '@nestjs/platform-fastify';
import { JsonRpcCode, JsonRpcError, type RpcSockets } from '@forecourt/json-rpc';
import { Metrics } from '@forecourt/metrics';
import { type Logger, LOGGER } from '@forecourt/service-host';
import { EVENTS_CONFIG, RPC_PARTS } from '../events.tokens.js';
import type { EventsConfig } from '../events-config.js';
import { measureEvents } from '../metrics/measure-events.js';
import type { RpcParts } from './method-table.js';
import { serveRpc } from './serve-rpc.js';

const GRACE_MS = 5_000;

/** Opens the doors with the service, and closes them before it goes. */
@Injectable()
export class RpcServer implements OnModuleInit, BeforeApplicationShutdown {
  #sockets: RpcSockets | null = null;

  constructor(
    private readonly host: HttpAdapterHost<FastifyAdapter>,
    @Inject(RPC_PARTS) private readonly parts: RpcParts,
    @Inject(EVENTS_CONFIG) private readonly config: EventsConfig,
    @Inject(LOGGER) private readonly logger: Logger,
    private readonly metrics: Metrics,
  ) {}

  onModuleInit(): void {
    const { parts, config, logger, metrics } = this;
    const server = this.host.httpAdapter.getInstance();
    const sockets = serveRpc(server, { parts, config, logger, metrics });
    measureEvents(metrics, parts, () => sockets.connections.size);
    this.#sockets = sockets;
    this.parts.stream.start();
  }

  /** Subscribers hear that the service stops; they can go on at another replica after the last event they saw. */
  async beforeApplicationShutdown(): Promise<void> {
    const reason = 'Subscription ended: the service is stopping';
    this.parts.clients.endAll(new JsonRpcError(JsonRpcCode.shuttingDown, reason));
    await this.#sockets?.close('the service is stopping', GRACE_MS);
    await this.parts.stream.stop();
  }
}
