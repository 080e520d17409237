import { Agent, request } from 'node:http';

/** The answer, with its body as text. */
export interface RawAnswer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  readonly body: string;
}

export interface RawRequest {
  readonly method: string;
  readonly path: string;
  readonly headers: Readonly<Record<string, string | string[]>>;
  readonly body: Buffer | string | null;
}

/** Longer than any request may wait at the gateway. */
const TIMEOUT_MS = 45_000;
const agent = new Agent({ keepAlive: true, maxSockets: 16 });

/**
 * Sends one request unchanged, without the restrictions and additions of `fetch`. Throws if no answer comes.
 */
export function exchange(baseUrl: string, sent: RawRequest): Promise<RawAnswer> {
  const { hostname, port } = new URL(baseUrl);
  return new Promise((resolve, reject) => {
    const outgoing = request(
      {
        agent,
        hostname,
        port,
        method: sent.method,
        path: sent.path,
        timeout: TIMEOUT_MS,
        headers: sent.headers,
        insecureHTTPParser: false,
      },
      (answer) => {
        const chunks: Buffer[] = [];
        answer.on('data', (chunk: Buffer) => chunks.push(chunk));
        answer.on('error', reject);
        answer.on('end', () => {
          const body = Buffer.concat(chunks).toString();
          resolve({ status: answer.statusCode ?? 0, headers: answer.headers, body });
        });
      },
    );
    // A server that refuses a body early may close the connection before the body was written.
    outgoing.on('error', reject);
    outgoing.on('timeout', () => outgoing.destroy(new Error(`no answer in ${TIMEOUT_MS} ms`)));
    outgoing.end(sent.body ?? undefined);
  });
}
