import { type IncomingMessage, type Server, type ServerResponse, STATUS_CODES } from 'node:http';
import type { Socket } from 'node:net';
import type { FastifyReply, FastifyRequest, FastifyServerOptions, RawServerBase } from 'fastify';

/** Code of what Node's HTTP server could not read → status and words. */
const UNREADABLE: Readonly<Record<string, readonly [status: number, error: string]>> = {
  ERR_HTTP_REQUEST_TIMEOUT: [408, 'The request did not arrive in time'],
  HPE_HEADER_OVERFLOW: [431, 'The headers of the request are too large'],
  HPE_CHUNK_EXTENSIONS_OVERFLOW: [
    413,
    'The request body is too large: its chunks have too much beside data',
  ],
};
const NO_HTTP = [400, 'The request is not valid HTTP'] as const;

/** Answers what is refused before there is a request, and ends the connection. */
export function refuseUnreadable(error: NodeJS.ErrnoException, socket: Socket): void {
  if (socket.writable && error.code !== 'ECONNRESET') {
    const [status, message] = UNREADABLE[error.code ?? ''] ?? NO_HTTP;
    const body = JSON.stringify({ error: message });
    socket.write(
      `HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\nContent-Type: application/json\r\n` +
        `Content-Length: ${Buffer.byteLength(body)}\r\nConnection: close\r\n\r\n${body}`,
    );
  }
  socket.destroy();
}

type FrameworkErrors = NonNullable<FastifyServerOptions<RawServerBase>['frameworkErrors']>;

/** Answers what the router cannot read: a path with a wrong escape. */
export const refuseUnroutable = ((_error: Error, _request: FastifyRequest, reply: FastifyReply) => {
  void reply.code(400).send({ error: 'The request cannot be read: its path is not a valid URL' });
}) as FrameworkErrors;

/** Answers requests that expect what the service does not do. */
export function refuseExpectations(server: Server): void {
  server.on('checkExpectation', (_request: IncomingMessage, response: ServerResponse) => {
    const body = JSON.stringify({ error: 'The request expects what this service does not do' });
    const length = Buffer.byteLength(body);
    response.shouldKeepAlive = false;
    response.writeHead(417, { 'content-type': 'application/json', 'content-length': length });
    response.end(body);
  });
}
