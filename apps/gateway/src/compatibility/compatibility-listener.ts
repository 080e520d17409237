import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { ConnectionPlaces, guardServer } from '@forecourt/admission';
import {
  checkDto,
  ForecourtError,
  GAS_BUDGET_BOUNDS,
  IsIntegerBetween,
  requestTypes,
} from '@forecourt/contracts';
import { ReserveGasRequest } from '@forecourt/contracts/http';
import { Inject, Injectable } from '@nestjs/common';
import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import { type Logger, LOGGER, ServiceState } from '@forecourt/runtime/service';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { GatewayConfig } from '../gateway-config.js';
import { GATEWAY_CONFIG } from '../gateway-config.module.js';
import { fastifyOptions, UnreadBody } from '../http/http-requests.js';
import { toDialect } from './dialect.js';

type Body = Record<string, unknown>;

/** The parts of a request that are read here. */
export interface RoutedRequest {
  readonly body: unknown;
  readonly routeOptions: Pick<FastifyRequest['routeOptions'], 'url'>;
}

const raised = new WeakMap<RoutedRequest, number>();

/** The budget that a request asks for, if its DTO does not allow it. */
export function raisedBudget(request: RoutedRequest): number | undefined {
  return raised.get(request);
}

/** Brings the bodies that clients of public gas stations send into the form that the gateway's DTOs read. */
export class DialectReader {
  readonly #reserveGasRequest: new () => ReserveGasRequest;

  constructor(maxGasBudget: number) {
    class CompatibleReserveGasRequest extends ReserveGasRequest {
      @IsIntegerBetween(GAS_BUDGET_BOUNDS.min, maxGasBudget)
      declare gas_budget: number;
    }
    this.#reserveGasRequest = CompatibleReserveGasRequest;
  }

  /** Throws INVALID_REQUEST for a body of `/v1/reserve_gas` that this port does not take: the bounds differ here. */
  read(request: RoutedRequest): void {
    const { body } = request;
    if (!isObject(body)) return;
    if ('reservation_id' in body) body['reservation_id'] = readId(body['reservation_id']);
    for (const name of ['requestType', 'request_type']) {
      if (name in body) body[name] = readRequestType(body[name]);
    }
    if (request.routeOptions.url === '/v1/reserve_gas') this.readBudget(request, body);
  }

  private readBudget(request: RoutedRequest, body: Body): void {
    const { instance, problems } = checkDto(this.#reserveGasRequest, body);
    if (problems.length > 0) throw new ForecourtError('INVALID_REQUEST', problems.join('; '));
    const { gas_budget: gasBudget } = instance;
    if (gasBudget <= GAS_BUDGET_BOUNDS.max) return;
    body['gas_budget'] = GAS_BUDGET_BOUNDS.max;
    raised.set(request, gasBudget);
  }
}

/** Whether it is a JSON object; the route refuses any other body. */
function isObject(body: unknown): body is Body {
  const isOther = body instanceof UnreadBody || Array.isArray(body);
  return typeof body === 'object' && body !== null && !isOther;
}

/** A number that a client has kept as text. */
function readId(value: unknown): unknown {
  return typeof value === 'string' && /^\d{1,16}$/.test(value) ? Number(value) : value;
}

function readRequestType(value: unknown): unknown {
  if (typeof value !== 'string') return value;
  return requestTypes.find((known) => known.toLowerCase() === value.toLowerCase()) ?? value;
}

/**
 * A second listener, for clients of public gas stations that cannot be changed. It serves the same routes with the same
 * checks; only the form of some answers differs (docs/compatibility.md). It does not serve WebSockets.
 */
@Injectable()
export class CompatibilityListener {
  readonly #requests = new WeakSet<IncomingMessage>();

  constructor(
    @Inject(GATEWAY_CONFIG) private readonly config: GatewayConfig,
    @Inject(LOGGER) private readonly logger: Pick<Logger, 'info'>,
    private readonly state: ServiceState,
    private readonly places: ConnectionPlaces,
  ) {}

  /** To be called before the application listens. */
  attachTo(app: NestFastifyApplication): void {
    const { host, compatibilityPort } = this.config;
    if (compatibilityPort === null) return;
    const server = app.getHttpAdapter().getInstance();
    this.speakDialect(server);
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

  private speakDialect(server: FastifyInstance): void {
    const { maxGasBudget, compatibleCoinVersions: coinVersions } = this.config;
    const reader = new DialectReader(maxGasBudget);
    server.addHook('preValidation', async (request) => {
      if (this.#requests.has(request.raw)) reader.read(request);
    });
    server.addHook('onSend', async (request, reply, payload) => {
      if (!this.#requests.has(request.raw) || typeof payload !== 'string') return payload;
      const path = request.routeOptions.url ?? '';
      const type = String(reply.getHeader('content-type') ?? '');
      if (!type.startsWith('application/json')) return payload;
      const form = { hasOptions: hasOptions(request.body), coinVersions };
      const answer = toDialect(path, payload, form);
      if (answer === null) return payload;
      void reply.header('content-type', answer.contentType).removeHeader('content-length');
      return answer.body;
    });
  }
}

function hasOptions(body: unknown): boolean {
  return typeof body === 'object' && body !== null && 'options' in body && body.options !== null;
}
