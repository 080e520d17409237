import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { ConnectionPlaces, guardServer } from '@forecourt/admission';
import { Inject, Injectable } from '@nestjs/common';
import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import { type Logger, LOGGER, ServiceState } from '@forecourt/runtime/service';
import type { FastifyInstance } from 'fastify';
import type { GatewayConfig } from '../gateway-config.js';
import { GATEWAY_CONFIG } from '../gateway-config.module.js';
import { fastifyOptions } from '../http/fastify-options.js';
import { speakDialect } from './speak-dialect.js';

/**
 * A second listener, for clients of public gas stations that cannot be changed. It serves the same routes
 * with the same checks; only the form of some answers differs (docs/compatibility.md). It does not serve
 * WebSockets.
 */
@Injectable()
export class CompatibilityListener {
  readonly #requests = new WeakSet<IncomingMessage>();

  constructor(
    @Inject(GATEWAY_CONFIG) private readonly config: GatewayConfig,
    @Inject(LOGGER) private readonly logger: Logger,
    private readonly state: ServiceState,
    private readonly places: ConnectionPlaces,
  ) {}

  /** To be called before the application listens. */
  attachTo(app: NestFastifyApplication): void {
    const { host, compatibilityPort } = this.config;
    if (compatibilityPort === null) return;
    const server = app.getHttpAdapter().getInstance();
    speakDialect(server, this.config, ({ raw }) => this.#requests.has(raw));
    const listener = this.createListener(server);
    server.addHook('onReady', async () => {
      listener.listen(compatibilityPort, host);
      await once(listener, 'listening');
      const { port } = listener.address() as AddressInfo;
      this.logger.info({ host, port }, 'listening for clients of public gas stations');
    });
    this.closeWith(server, listener);
  }

  /** Closes together with the main listener: a client that stalls here must not keep that one open. */
  private closeWith(server: FastifyInstance, listener: Server): void {
    let closed: Promise<unknown> | undefined;
    server.addHook('preClose', async () => {
      if (!listener.listening) return;
      closed = once(listener, 'close');
      listener.close();
    });
    server.addHook('onClose', async () => void (await closed));
    this.state.onCut(() => listener.closeAllConnections());
  }

  private createListener(server: FastifyInstance): Server {
    const { http, clientErrorHandler } = fastifyOptions(this.config);
    const listener = guardServer(createServer(http), this.places, (request, response) => {
      this.#requests.add(request);
      server.routing(request, response);
    });
    listener.on('clientError', clientErrorHandler);
    return listener;
  }
}
