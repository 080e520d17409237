import {
  type BeforeApplicationShutdown,
  Injectable,
  Inject,
  type OnModuleInit,
} from '@nestjs/common';
import { HttpAdapterHost } from '@nestjs/core';
import type { FastifyAdapter } from '@nestjs/platform-fastify';
import { Metrics } from '@forecourt/runtime/metrics';
import { type Logger, LOGGER, ServiceState } from '@forecourt/runtime/service';
import { EVENTS_CONFIG, RPC_PARTS } from '../events.tokens.js';
import type { EventsConfig } from '../events-config.js';
import { measureEvents } from '../metrics/measure-events.js';
import type { RpcParts } from './method-table.js';
import { serveRpc } from './serve-rpc.js';
import { takeLeaveOfAll } from './take-leave.js';

const GRACE_MS = 5_000;

/** Opens the doors with the service, and closes them when it is told to stop. */
@Injectable()
export class RpcServer implements OnModuleInit, BeforeApplicationShutdown {
  #closed: Promise<void> | null = null;
  #close: () => Promise<void> = async () => undefined;

  constructor(
    private readonly host: HttpAdapterHost<FastifyAdapter>,
    @Inject(RPC_PARTS) private readonly parts: RpcParts,
    @Inject(EVENTS_CONFIG) private readonly config: EventsConfig,
    @Inject(LOGGER) private readonly logger: Logger,
    private readonly metrics: Metrics,
    private readonly state: ServiceState,
  ) {}

  onModuleInit(): void {
    const { parts, config, logger, metrics } = this;
    const server = this.host.httpAdapter.getInstance();
    const sockets = serveRpc(server, { parts, config, logger, metrics });
    measureEvents(metrics, parts, () => sockets.connections.size);
    this.#close = () => (this.#closed ??= takeLeaveOfAll(parts.clients, sockets, GRACE_MS));
    this.state.onStop(() => void this.#close());
    this.parts.stream.start();
  }

  /** Subscribers have heard since the beginning of the drain; they go on at another replica after the last event they saw. */
  async beforeApplicationShutdown(): Promise<void> {
    await this.#close();
    await this.parts.stream.stop();
  }
}
