import { type ClientHttp2Session, connect, type IncomingHttpHeaders } from 'node:http2';

/**
 * An answer as HTTP/2 has it: gRPC's status is in the trailers, or in the headers of an answer without
 * messages.
 */
export interface RawAnswer {
  readonly headers: IncomingHttpHeaders;
  readonly trailers: IncomingHttpHeaders;
  /** Length of the messages with their prefixes. */
  readonly bytes: number;
}

/** A session with a devnet's gRPC port. Its owner closes it. */
export function openSession(url: string): ClientHttp2Session {
  const maxSessionMemory = Number.MAX_SAFE_INTEGER;
  const session = connect(url.replace('grpc:', 'http:'), { maxSessionMemory });
  session.on('error', () => undefined);
  return session;
}

/** One message in gRPC's frame. */
export function framed(message: Uint8Array, flag = 0): Buffer {
  const prefix = Buffer.from([flag, 0, 0, 0, 0]);
  prefix.writeUInt32BE(message.length, 1);
  return Buffer.concat([prefix, message]);
}

/** A call without a client of gRPC, so that anything can be sent. */
export async function rawCall(
  session: ClientHttp2Session,
  path: string,
  body: Uint8Array,
  headers: Readonly<Record<string, string>> = {},
): Promise<RawAnswer> {
  const stream = session.request({
    ':method': 'POST',
    ':path': path,
    'content-type': 'application/grpc',
    te: 'trailers',
    ...headers,
  });
  let responseHeaders: IncomingHttpHeaders = {};
  let trailers: IncomingHttpHeaders = {};
  stream.on('response', (received: IncomingHttpHeaders) => {
    responseHeaders = received;
  });
  stream.on('trailers', (received: IncomingHttpHeaders) => {
    trailers = received;
  });
  stream.end(body);
  let bytes = 0;
  for await (const chunk of stream) bytes += (chunk as Buffer).length;
  return { headers: responseHeaders, trailers, bytes };
}
