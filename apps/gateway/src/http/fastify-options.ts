import { STATUS_CODES } from 'node:http';
import type { Socket } from 'node:net';
import type { FastifyReply, FastifyRequest, FastifyServerOptions, RawServerBase } from 'fastify';
import { chooseRequestId } from './request-ids.js';
import type { GatewayConfig } from '../gateway-config.js';

/** The code of an error of Node's HTTP parser → status and message of the answer. */
export const UNREADABLE = {
  ERR_HTTP_REQUEST_TIMEOUT: [408, 'Request timed out before it was complete'],
  HPE_HEADER_OVERFLOW: [431, 'Request headers too large'],
  HPE_CHUNK_EXTENSIONS_OVERFLOW: [413, 'Request body too large: too much data in chunk extensions'],
} as const satisfies Readonly<Record<string, readonly [status: number, error: string]>>;
const INVALID_HTTP = [400, 'Invalid HTTP request'] as const;

/** Answers bytes that are not a valid HTTP request, and closes the connection. */
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

/** Fastify's options for the public endpoint. */
export function fastifyOptions(config: GatewayConfig) {
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
    genReqId: chooseRequestId,
  };
}
