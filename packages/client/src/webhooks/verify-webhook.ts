import { WebhookError } from './webhook-error.js';

type HeaderValue = string | readonly string[] | undefined;

/** A request as it arrived. */
export interface WebhookRequest {
  /** The body's bytes or text, unchanged: not parsed and written again. */
  readonly body: string | Uint8Array;
  /** `Headers` of any library, a `Map` or other pairs, or an object such as Node's; names in any case. */
  readonly headers:
    | Headers
    | Iterable<readonly [name: string, value: HeaderValue]>
    | Readonly<Record<string, HeaderValue>>;
}

export interface VerifyOptions {
  /** The webhook's secret, `whsec_…`; several while it is changed. */
  readonly secret: string | readonly string[];
  /** Largest difference between the clocks, and longest time on the way. Default: 300. */
  readonly toleranceSecs?: number | undefined;
}

/** A verified message. */
export interface WebhookMessage {
  /** The same whenever the message is repeated: process each id once. */
  readonly id: string;
  /** Such as `sponsorship.executed`. */
  readonly type: string;
  /** Time of the event, in ISO 8601. */
  readonly timestamp: string;
  readonly data: Readonly<Record<string, unknown>>;
}

const DEFAULT_TOLERANCE_SECS = 300;
const SECRET = /^whsec_[A-Za-z0-9+/]+={0,2}$/;
const SECONDS = /^\d{1,12}$/;
const VERSION = 'v1,';

/**
 * The message of a request that the gas station has signed (Standard Webhooks). Throws `WebhookError` for any
 * other request, and `TypeError` for options that cannot be used.
 */
export async function verifyWebhook(
  { body, headers }: WebhookRequest,
  options: VerifyOptions,
): Promise<WebhookMessage> {
  const { secrets, toleranceSecs } = readOptions(options);
  const [id, sentAt, signatures] = (
    ['webhook-id', 'webhook-timestamp', 'webhook-signature'] as const
  ).map((name) => readHeader(headers, name)) as [string, string, string];
  if (typeof body !== 'string' && !(body instanceof Uint8Array)) {
    const remedy = 'the body must be the text or bytes that arrived, not the parsed object';
    throw new WebhookError('MALFORMED', `The body is ${typeof body}: ${remedy}`);
  }
  const bytes = typeof body === 'string' ? new TextEncoder().encode(body) : body;
  if (!(await isSigned(concat(`${id}.${sentAt}.`, bytes), signatures, secrets))) {
    throw new WebhookError('WRONG_SIGNATURE', 'The signature does not fit the body and the secret');
  }
  requireRecent(sentAt, toleranceSecs);
  return { id, ...readMessage(bytes) };
}

function readHeader(headers: WebhookRequest['headers'], name: string): string {
  const source = typeof headers === 'object' && headers !== null ? headers : {};
  const entries = Symbol.iterator in source ? source : Object.entries(source);
  const values = [...(entries as Iterable<readonly [string, HeaderValue]>)]
    .filter(([one]) => String(one).toLowerCase() === name)
    .flatMap(([, value]) => value ?? [])
    .filter((value) => value !== '');
  if (values.length === 1) return String(values[0]);
  const count = values.length === 0 ? 'missing' : `given ${values.length} times`;
  throw new WebhookError('MALFORMED', `The header ${name} is ${count}`);
}

function readOptions(options: VerifyOptions) {
  // Callers without TypeScript pass a variable that is not set.
  const { secret, toleranceSecs = DEFAULT_TOLERANCE_SECS } = (options ??
    {}) as Partial<VerifyOptions>;
  const secrets = Array.isArray(secret) ? secret.map(readSecret) : [readSecret(secret)];
  if (secrets.length === 0) throw new TypeError('secret is an empty list: give a webhook’s secret');
  if (!(toleranceSecs >= 0)) {
    throw new TypeError(`toleranceSecs must be a number of seconds; got ${toleranceSecs}`);
  }
  return { secrets, toleranceSecs };
}

/** The secret itself must not reach a log. */
function readSecret(secret: unknown): Uint8Array<ArrayBuffer> {
  const isText = typeof secret === 'string';
  const key = isText && SECRET.test(secret) ? decodeBase64(secret.slice('whsec_'.length)) : null;
  if (key !== null) return key;
  const got = isText ? 'another text' : String(secret === null ? null : typeof secret);
  throw new TypeError(`secret must be that of the webhook, whsec_ and base64; got ${got}`);
}

/** Null: it is not base64. */
function decodeBase64(text: string): Uint8Array<ArrayBuffer> | null {
  try {
    return Uint8Array.from(atob(text), (letter) => letter.charCodeAt(0));
  } catch {
    return null;
  }
}

function concat(start: string, bytes: Uint8Array): Uint8Array<ArrayBuffer> {
  const head = new TextEncoder().encode(start);
  const all = new Uint8Array(head.length + bytes.length);
  all.set(head);
  all.set(bytes, head.length);
  return all;
}

/** Whether one of the signatures, `v1,<base64>` separated by spaces, was made with one of the secrets. */
async function isSigned(
  content: Uint8Array<ArrayBuffer>,
  signatures: string,
  secrets: readonly Uint8Array<ArrayBuffer>[],
): Promise<boolean> {
  const candidates = signatures.split(' ').filter((one) => one.startsWith(VERSION));
  const algorithm = { name: 'HMAC', hash: 'SHA-256' };
  for (const secret of secrets) {
    const key = await crypto.subtle.importKey('raw', secret, algorithm, false, ['verify']);
    for (const one of candidates) {
      const signature = decodeBase64(one.slice(VERSION.length));
      // Compares in constant time.
      if (signature && (await crypto.subtle.verify('HMAC', key, signature, content))) return true;
    }
  }
  return false;
}

function requireRecent(sentAt: string, toleranceSecs: number): void {
  const ageSecs = Date.now() / 1_000 - (SECONDS.test(sentAt) ? Number(sentAt) : NaN);
  if (Math.abs(ageSecs) <= toleranceSecs) return;
  throw new WebhookError('STALE', `The message was signed at ${sentAt}, too far from now`);
}

function readMessage(bytes: Uint8Array): Omit<WebhookMessage, 'id'> {
  try {
    const value = JSON.parse(new TextDecoder().decode(bytes)) as unknown;
    const { type, timestamp, data } = value as Record<string, unknown>;
    if (typeof type === 'string' && typeof timestamp === 'string' && isObject(data)) {
      return { type, timestamp, data };
    }
  } catch {
    // Not JSON, or null.
  }
  throw new WebhookError('MALFORMED', 'The body is not {"type", "timestamp", "data"} as JSON');
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
