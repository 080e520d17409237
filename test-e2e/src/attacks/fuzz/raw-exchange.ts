import { connect } from 'node:net';
import type { RawAnswer } from './http-exchange.js';

const QUIET_MS = 250;

/** Writes pieces to a new connection, and reads until it is closed or no more data comes. */
export function rawExchange(
  baseUrl: string,
  pieces: readonly (string | Buffer)[],
  { pauseMs = 0, quietMs = QUIET_MS } = {},
): Promise<Buffer> {
  const { hostname, port } = new URL(baseUrl);
  return new Promise((resolve) => {
    const socket = connect(Number(port), hostname);
    const chunks: Buffer[] = [];
    let quiet: NodeJS.Timeout | undefined;
    const waitForMore = () => {
      clearTimeout(quiet);
      quiet = setTimeout(() => socket.destroy(), quietMs);
    };
    const write = (index: number) => {
      if (socket.destroyed) return;
      if (index === pieces.length) return waitForMore();
      socket.write(pieces[index]!);
      if (pauseMs === 0) write(index + 1);
      else setTimeout(() => write(index + 1), pauseMs);
    };
    socket.on('connect', () => write(0));
    socket.on('data', (chunk: Buffer) => {
      chunks.push(chunk);
      if (quiet !== undefined) waitForMore();
    });
    // The server often resets a connection whose input it refused.
    socket.on('error', () => undefined);
    socket.on('close', () => {
      clearTimeout(quiet);
      resolve(Buffer.concat(chunks));
    });
  });
}

const HEAD_END = '\r\n\r\n';

/** Parses the complete answers in the received data; a truncated one is dropped. */
export function parseAnswers(bytes: Buffer): RawAnswer[] {
  const answers: RawAnswer[] = [];
  let rest = bytes;
  for (;;) {
    const end = rest.indexOf(HEAD_END);
    if (end < 0) return answers;
    const [statusLine = '', ...lines] = rest.subarray(0, end).toString('latin1').split('\r\n');
    const status = Number(/^HTTP\/1\.1 (\d{3})/.exec(statusLine)?.[1] ?? 0);
    const headers = Object.fromEntries(
      lines.map((line) => [
        line.slice(0, line.indexOf(':')).toLowerCase(),
        line.slice(line.indexOf(':') + 1).trim(),
      ]),
    );
    rest = rest.subarray(end + HEAD_END.length);
    if (status === 100) continue;
    const length = Number(headers['content-length'] ?? 0);
    if (rest.length < length) return answers;
    answers.push({ status, headers, body: rest.subarray(0, length).toString() });
    if (headers['transfer-encoding'] !== undefined) return answers;
    rest = rest.subarray(length);
  }
}
