import {
  checkDto,
  ForecourtError,
  GAS_BUDGET_BOUNDS,
  IsIntegerBetween,
  requestTypes,
} from '@forecourt/contracts';
import { ReserveGasRequest } from '@forecourt/contracts/http';
import type { FastifyRequest } from 'fastify';
import { UnreadBody } from '../http/unread-body.js';

type Body = Record<string, unknown>;

/** The parts of a request that are read here. */
export interface RoutedRequest {
  body: unknown;
  readonly routeOptions: Pick<FastifyRequest['routeOptions'], 'url'>;
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

  /**
   * Throws INVALID_REQUEST for a body of `/v1/reserve_gas` that this port does not take: the bounds differ
   * here.
   */
  read(request: RoutedRequest): void {
    const { body } = request;
    if (!isObject(body)) return;
    if ('reservation_id' in body) body['reservation_id'] = readId(body['reservation_id']);
    for (const name of ['requestType', 'request_type']) {
      if (name in body) body[name] = readRequestType(body[name]);
    }
    if (request.routeOptions.url === '/v1/reserve_gas') request.body = this.readReservation(body);
  }

  /** The route takes a body that is read already as it is. */
  private readReservation(body: Body): ReserveGasRequest {
    const { instance, problems } = checkDto(this.#reserveGasRequest, body);
    if (problems.length > 0) throw new ForecourtError('INVALID_REQUEST', problems.join('; '));
    return instance;
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
