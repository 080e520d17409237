import { request as httpRequest, type IncomingMessage } from 'node:http';
import { request as httpsRequest, type RequestOptions } from 'node:https';
import { KEPT_ANSWER_BYTES, type WebhookAttempt } from '@forecourt/contracts';
import type { ConfiguredWebhook } from '@forecourt/policy/tokens';
import { Webhook } from 'standardwebhooks';
import type { ReceiverAddresses } from './receiver-addresses.js';
import { ReceiverForbidden } from './receiver-forbidden.js';

/** Time limit of an attempt, from the look-up of the name to the headers of the answer. */
const ATTEMPT_MS = 10_000;
/** How long the text of an answer is awaited after its headers, within the time limit. */
const ANSWER_TEXT_MS = 1_000;

export interface SenderOptions {
  readonly attemptMs?: number;
  /** Certificates of authorities besides the public ones. */
  readonly ca?: string;
}

/** A message as receivers get it. */
export interface WebhookMessage {
  /** The same with every repetition. */
  readonly id: string;
  readonly body: string;
}

interface Answer {
  readonly status: number;
  readonly text: string;
}

/** Sends messages to webhooks: one attempt, one connection, no redirects. */
export class WebhookSender {
  readonly #attemptMs: number;
  readonly #ca: { readonly ca?: string };

  constructor(
    private readonly addresses: ReceiverAddresses,
    { attemptMs = ATTEMPT_MS, ca }: SenderOptions = {},
  ) {
    this.#attemptMs = attemptMs;
    this.#ca = ca === undefined ? {} : { ca };
  }

  /** Describes what happened; never throws. */
  async send(
    { url, secrets }: Pick<ConfiguredWebhook, 'url' | 'secrets'>,
    message: WebhookMessage,
  ): Promise<WebhookAttempt> {
    const began = new Date();
    const since = performance.now();
    const headers = {
      ...signMessage(message, secrets, began),
      'content-type': 'application/json',
      'content-length': Buffer.byteLength(message.body),
      'user-agent': 'Forecourt',
    };
    const result = await this.post(new URL(url), headers, message.body).catch(describeFailure);
    const duration_ms = Math.round(performance.now() - since);
    const time = began.getTime();
    if (typeof result === 'string') {
      return { at: time, duration_ms, status: null, error: result, answer: '' };
    }
    const { status, text } = result;
    return { at: time, duration_ms, status, error: describeStatus(status), answer: text };
  }

  /** Throws when no answer arrives. */
  private async post(url: URL, headers: RequestOptions['headers'], body: string): Promise<Answer> {
    const signal = AbortSignal.timeout(this.#attemptMs);
    const lookup = this.addresses.lookupFor(url);
    const send = url.protocol === 'https:' ? httpsRequest : httpRequest;
    return new Promise((resolve, reject) => {
      // Without an agent no connection outlives its attempt: the next one checks the address again.
      const options = {
        method: 'POST',
        agent: false,
        headers,
        lookup,
        signal,
        ...this.#ca,
      } as const;
      const request = send(url, options, (response) => {
        readStart(response).then((text) => resolve({ status: response.statusCode!, text }), reject);
      });
      // A receiver that asks for another protocol.
      request.on('upgrade', (_response, socket) => {
        socket.destroy();
        reject(new Error('Answered 101'));
      });
      request.on('error', reject);
      request.end(body);
    });
  }
}

/** The headers of Standard Webhooks, with a signature for each secret. */
function signMessage(
  { id, body }: WebhookMessage,
  secrets: readonly string[],
  time: Date,
): Record<string, string> {
  return {
    'webhook-id': id,
    'webhook-timestamp': String(Math.floor(time.getTime() / 1_000)),
    'webhook-signature': secrets.map((one) => new Webhook(one).sign(id, time, body)).join(' '),
  };
}

/** The body of a message. `at`: milliseconds since 1970. */
export function writeBody(type: string, time: number, data: object): string {
  return JSON.stringify({ type, timestamp: new Date(time).toISOString(), data });
}

/** The first bytes of an answer, as far as they arrive in time; then the connection is closed. */
async function readStart(response: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  let length = 0;
  const late = setTimeout(() => response.destroy(), ANSWER_TEXT_MS);
  try {
    for await (const chunk of response as AsyncIterable<Buffer>) {
      chunks.push(chunk);
      length += chunk.length;
      if (length >= KEPT_ANSWER_BYTES) break;
    }
  } catch {
    // The status has arrived; the text is only kept to be shown.
  } finally {
    clearTimeout(late);
    response.destroy();
  }
  const start = Buffer.concat(chunks).subarray(0, KEPT_ANSWER_BYTES);
  // The end may be half a character, and PostgreSQL has no character 0.
  return new TextDecoder().decode(start, { stream: true }).replaceAll('\0', '\uFFFD');
}

const GONE = 410;

/** Null: received. */
function describeStatus(status: number): string | null {
  if (status >= 200 && status < 300) return null;
  if (status >= 300 && status < 400) return `Answered ${status}: redirects are not followed`;
  if (status === GONE) return 'Answered 410: the webhook is ended';
  return `Answered ${status}`;
}

export function isGone({ status }: Pick<WebhookAttempt, 'status'>): boolean {
  return status === GONE;
}

/** Without the URL's user name and password, which no error of Node contains. */
function describeFailure(error: unknown): string {
  const { name, message, code } = error as NodeJS.ErrnoException;
  if (error instanceof ReceiverForbidden) return message;
  if (name === 'AbortError' || name === 'TimeoutError') return 'No answer in time';
  const [first] = error instanceof AggregateError ? (error.errors as Error[]) : [];
  const text = message || first?.message || code || 'Connection failed';
  return text.replaceAll('\0', '\uFFFD').slice(0, KEPT_ANSWER_BYTES);
}
