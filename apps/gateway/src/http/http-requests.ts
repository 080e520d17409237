import { randomUUID } from 'node:crypto';
import { type Server, STATUS_CODES } from 'node:http';
import type { Socket } from 'node:net';
import type { ArgumentMetadata, PipeTransform, Type } from '@nestjs/common';
import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import {
  checkDto,
  describeArrived,
  digestInBase58,
  ForecourtError,
  JsonRpcCode,
  rpcFailure,
} from '@forecourt/contracts';
import { readDigest as readDigestText } from '@forecourt/contracts/http';
import { CLIENT_LEFT } from '@forecourt/json-rpc';
import type {
  FastifyInstance,
  FastifyReply,
  FastifyRequest,
  FastifyServerOptions,
  RawServerBase,
} from 'fastify';
import type { GatewayConfig } from '../gateway-config.js';
import { answerError, wrongContentType } from './answer-error.js';

/** The code of an error of Node's HTTP parser → status and message of the answer. */
export const UNREADABLE = {
  ERR_HTTP_REQUEST_TIMEOUT: [408, 'Request timed out before it was complete'],
  HPE_HEADER_OVERFLOW: [431, 'Request headers too large'],
  HPE_CHUNK_EXTENSIONS_OVERFLOW: [413, 'Request body too large: too much data in chunk extensions'],
} as const satisfies Readonly<Record<string, readonly [status: number, error: string]>>;
const INVALID_HTTP = [400, 'Invalid HTTP request'] as const;

/** Answers bytes that are no valid HTTP request, and closes the connection. */
function refuseUnreadable(error: NodeJS.ErrnoException, socket: Socket): void {
  if (socket.writable && error.code !== 'ECONNRESET') {
    const known: Readonly<Record<string, readonly [number, string]>> = UNREADABLE;
    const [status, message] = known[error.code ?? ''] ?? INVALID_HTTP;
    const body = JSON.stringify({ error: message });
    socket.write(
      `HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\nContent-Type: application/json\r\n` +
        `Content-Length: ${Buffer.byteLength(body)}\r\nConnection: close\r\n\r\n${body}`,
    );
  }
  socket.destroy();
}

type FrameworkErrors = NonNullable<FastifyServerOptions<RawServerBase>['frameworkErrors']>;

/** Answers a request whose path the router cannot decode. */
const refuseUnroutable = ((_error: Error, _request: FastifyRequest, reply: FastifyReply) => {
  void reply.code(400).send({ error: 'Invalid request: the path is not a valid URL' });
}) as FrameworkErrors;

/** Request ids that a client may choose: short ones that cannot break a log line. */
const REQUEST_ID = /^[\w.:-]{1,128}$/;

/** Fastify's options for the public endpoint. */
export function fastifyOptions(config: Pick<GatewayConfig, 'requestTimeoutMs'>) {
  return {
    requestTimeout: config.requestTimeoutMs,
    http: {
      headersTimeout: config.requestTimeoutMs,
      requestTimeout: config.requestTimeoutMs,
      connectionsCheckingInterval: Math.ceil(config.requestTimeoutMs / 4),
      // `refuseWithoutHost` checks it, and answers with the reason.
      requireHostHeader: false,
    },
    clientErrorHandler: refuseUnreadable,
    frameworkErrors: refuseUnroutable,
    genReqId: ({ headers }: { headers: NodeJS.Dict<string | string[]> }) => {
      const given = headers['x-request-id'];
      return typeof given === 'string' && REQUEST_ID.test(given) ? given : randomUUID();
    },
  };
}

/** A signal that aborts when the client leaves before its answer. */
export function clientSignal({ raw }: FastifyReply): AbortSignal {
  const left = new AbortController();
  raw.once('close', () => {
    if (!raw.writableFinished) left.abort(CLIENT_LEFT);
  });
  return left.signal;
}

/** Answers HTTP/1.1 requests without a `Host` header. */
export function refuseWithoutHost(server: FastifyInstance): void {
  server.addHook('onRequest', ({ headers, raw }, reply, done) => {
    if (headers.host !== undefined || raw.httpVersion === '1.0') return done();
    void reply.code(400).send({ error: 'Missing Host header' });
  });
}

/**
 * Answers requests with compressed bodies: to expand one may cost far more than its size says. `rpcPath`: the route that
 * answers in JSON-RPC.
 */
export function refuseEncodedBodies(server: FastifyInstance, rpcPath: string): void {
  server.addHook('onRequest', ({ headers, routeOptions }, reply, done) => {
    const encoding = headers['content-encoding']?.trim() ?? '';
    if (/^(?:identity)?$/i.test(encoding)) return done();
    void reply.header('accept-encoding', 'identity');
    const error = new ForecourtError('BODY_ENCODED', JSON.stringify(encoding.slice(0, 100)));
    if (routeOptions.url !== rpcPath) return answerError(reply, error);
    void reply.code(error.status).send(rpcFailure(JsonRpcCode.invalidRequest, error.message));
  });
}

/** The content types that curl, and `fetch` with text, send by default; Nest and Fastify have parsers for them. */
const USUAL_MISTAKES = ['application/x-www-form-urlencoded', 'text/plain'];
const MAX_SHOWN_NAME = 40;

/** A body that is not read, because its content type is not JSON. */
export class UnreadBody {
  constructor(readonly contentType: string | undefined) {}
}

/**
 * Passes every request on to its route, which knows whether it needs a body: a body of another content type becomes an
 * `UnreadBody`, so that a route that needs JSON can name the mistake.
 */
export function leaveBodiesToRoutes(app: NestFastifyApplication): void {
  const server = app.getHttpAdapter().getInstance();
  server.addHook('onRequest', ({ headers }, _reply, done) => {
    const isAbsent = (headers['content-length'] ?? '0') === '0';
    // A parser of this type would look for a body.
    if (isAbsent && headers['transfer-encoding'] === undefined) delete headers['content-type'];
    done();
  });
  const leaveUnread = (request: FastifyRequest, done: (error: null, body: UnreadBody) => void) =>
    done(null, new UnreadBody(request.headers['content-type']));
  app.useBodyParser<Server>(USUAL_MISTAKES, {}, (request, _body, done) =>
    leaveUnread(request, done),
  );
  server.addContentTypeParser('*', (request, _body, done) => leaveUnread(request, done));
}

/**
 * Reads a JSON body as the DTO that the handler declares. Throws INVALID_REQUEST naming each field, its bounds and its value.
 * Values are not converted; fields that the DTO does not have are dropped.
 */
export class ReadBody implements PipeTransform {
  transform(value: unknown, { type, metatype }: ArgumentMetadata): unknown {
    if (type !== 'body') return value;
    if (value instanceof UnreadBody) throw wrongContentType(value.contentType);
    if (typeof value !== 'object' || value === null || Array.isArray(value)) {
      throw new ForecourtError('INVALID_REQUEST', 'The body must be a JSON object');
    }
    const { instance, problems } = checkDto(metatype as Type<object>, value);
    if (problems.length > 0) throw new ForecourtError('INVALID_REQUEST', problems.join('; '));
    return instance;
  }
}

/**
 * Reads a query as the DTO that the handler declares, whose fields are texts. Throws INVALID_REQUEST naming each parameter,
 * what arrived and what is expected, also for a parameter that the DTO does not have: a filter that is not applied would
 * show other records than were asked for.
 */
export class ReadQuery implements PipeTransform {
  transform(value: unknown, { type, metatype, data }: ArgumentMetadata): unknown {
    if (type !== 'query' || data !== undefined || !metatype || isBuiltIn(metatype)) return value;
    const dto = metatype as Type<object>;
    const query = { ...(value as Record<string, unknown>) };
    const known = Object.keys(new dto());
    const unknown = Object.entries(query)
      .filter(([name]) => !known.includes(name))
      .map(([name, arrived]) => describeUnknown(name, arrived, known));
    const { instance, problems } = checkDto(dto, query);
    const all = [...unknown, ...problems];
    if (all.length > 0) throw new ForecourtError('INVALID_REQUEST', all.join('; '));
    return instance;
  }
}

const isBuiltIn = (metatype: unknown) => metatype === Object || metatype === String;

function describeUnknown(name: string, arrived: unknown, known: readonly string[]): string {
  const shown = name.length > MAX_SHOWN_NAME ? `${name.slice(0, MAX_SHOWN_NAME)}…` : name;
  return `${shown} is not one of the parameters ${known.join(', ')}; got ${describeArrived(arrived)}`;
}

/** The id of a reservation in a path or a query. Throws INVALID_REQUEST. */
export function readReservationId(value: unknown): number {
  const reservationId = typeof value === 'string' && /^\d{1,16}$/.test(value) ? Number(value) : 0;
  if (reservationId > 0 && Number.isSafeInteger(reservationId)) return reservationId;
  const expected = `an integer from 1 to ${Number.MAX_SAFE_INTEGER}`;
  throw mustBe('reservation_id', expected, value);
}

/** A digest in a path or a query, in base58. Throws INVALID_REQUEST. */
export function readDigest(value: unknown): string {
  const canonical = readDigestText(value);
  if (canonical !== null) return digestInBase58(canonical);
  throw mustBe('digest', '32 bytes in base58 or base64', value);
}

function mustBe(name: string, expected: string, arrived: unknown): ForecourtError {
  const problem = `${name} must be ${expected}; got ${describeArrived(arrived)}`;
  return new ForecourtError('INVALID_REQUEST', problem);
}

/** Tells caches that the answer depends on this request header, besides those that it depends on already. */
export function varyBy(reply: FastifyReply, header: string): void {
  const vary = [reply.getHeader('vary'), header].filter((one) => one !== undefined);
  void reply.header('vary', vary.join(', '));
}

const JSON_RANGES = ['application/json', 'application/*', '*/*'];

/** Whether an `Accept` header ranks one of these types above JSON (RFC 9110, 12.5.1); of equal ranks, the first counts. */
export function prefersToJson(accept: string | undefined, types: readonly string[]): boolean {
  const ranges = (accept ?? '').split(',').map((range) => {
    const [type = '', ...parameters] = range.split(';').map((part) => part.trim().toLowerCase());
    const quality = parameters.find((one) => one.startsWith('q='));
    return { type, quality: quality === undefined ? 1 : Number(quality.slice(2)) };
  });
  const known = ranges
    .filter(({ type, quality }) => quality > 0 && [...types, ...JSON_RANGES].includes(type))
    .sort((a, b) => b.quality - a.quality);
  return known[0] !== undefined && types.includes(known[0].type);
}
