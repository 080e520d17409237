import { Agent, request } from 'node:http';

export interface HttpRequest {
  readonly method: 'GET' | 'POST';
  /** Sent unchanged, including invalid characters. */
  readonly path: string;
  readonly token?: string;
  readonly body?: unknown;
  /** Loopback address of the connection, by which the server distinguishes clients. */
  readonly from: string;
  readonly timeoutMs: number;
  readonly signal?: AbortSignal;
}

export interface HttpReply {
  readonly status: number;
  /** Seconds after which the request may be repeated; null: the server did not say. */
  readonly retryAfterSecs: number | null;
  readonly text: string;
}

/** The rest of a longer answer is not read: an attacker need not keep it. */
const MAX_TEXT = 4 * 1024 * 1024;
const MAX_SOCKETS = 64;
const agents = new Map<string, Agent>();

/** Sends one request over a kept-alive connection. Throws if no answer comes in time. */
export function sendHttp(baseUrl: string, sent: HttpRequest): Promise<HttpReply> {
  const { hostname, port } = new URL(baseUrl);
  const body = sent.body === undefined ? undefined : JSON.stringify(sent.body);
  return new Promise((resolve, reject) => {
    const outgoing = request(
      {
        agent: agentFor(sent.from),
        hostname,
        port,
        method: sent.method,
        path: sent.path,
        signal: sent.signal,
        localAddress: sent.from,
        headers: {
          ...(sent.token !== undefined && { authorization: `Bearer ${sent.token}` }),
          ...(body !== undefined && {
            'content-type': 'application/json',
            'content-length': Buffer.byteLength(body),
          }),
        },
      },
      (answer) => {
        let text = '';
        answer.setEncoding('utf8');
        answer.on('data', (chunk: string) => (text += text.length < MAX_TEXT ? chunk : ''));
        answer.on('error', reject);
        answer.on('end', () => {
          clearTimeout(timer);
          const after = Number(answer.headers['retry-after'] ?? NaN);
          const retryAfterSecs = Number.isFinite(after) ? after : null;
          resolve({ status: answer.statusCode ?? 0, retryAfterSecs, text });
        });
      },
    );
    const late = () => outgoing.destroy(new Error(`no answer in ${sent.timeoutMs} ms`));
    const timer = setTimeout(late, sent.timeoutMs);
    outgoing.on('error', (error) => {
      clearTimeout(timer);
      reject(error);
    });
    outgoing.end(body);
  });
}

function agentFor(from: string): Agent {
  const known = agents.get(from);
  if (known) return known;
  const agent = new Agent({ keepAlive: true, maxSockets: MAX_SOCKETS });
  agents.set(from, agent);
  return agent;
}
