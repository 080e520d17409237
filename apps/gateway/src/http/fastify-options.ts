import { randomUUID } from 'node:crypto';
import { type IncomingMessage, type Server, type ServerResponse, STATUS_CODES } from 'node:http';
import type { Socket } from 'node:net';
import { ForecourtError } from '@forecourt/contracts';
import { JsonRpcCode, rpcFailure } from '@forecourt/json-rpc';
import type {
  FastifyInstance,
  FastifyReply,
  FastifyRequest,
  FastifyServerOptions,
  RawServerBase,
} from 'fastify';
import type { GatewayConfig } from '../gateway-config.js';
import { answerError } from './answer-error.js';

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
export function fastifyOptions(config: Pick<GatewayConfig, 'bodyLimitBytes' | 'requestTimeoutMs'>) {
  return {
    bodyLimit: config.bodyLimitBytes,
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

/** Answers requests with an `Expect` header that the server does not support. */
export function refuseExpectations(server: Server): void {
  server.on('checkExpectation', (_request: IncomingMessage, response: ServerResponse) => {
    const body = JSON.stringify({ error: 'Unsupported Expect header' });
    const length = Buffer.byteLength(body);
    response.shouldKeepAlive = false;
    response.writeHead(417, { 'content-type': 'application/json', 'content-length': length });
    response.end(body);
  });
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
