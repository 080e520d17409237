import { readFileSync } from 'node:fs';
import { readRetryAfter } from '@forecourt/resilience';
import { Agent } from 'undici';
import { KeyServiceError } from '../key-service-error.js';
import { exchange, type Exchanged } from './exchange.js';

const MAX_ANSWER_BYTES = 1_048_576;
const LONGEST_PAUSE_MS = 60_000;

export interface ServiceCall {
  readonly method: 'GET' | 'POST';
  /** With the query. */
  readonly path: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: object | URLSearchParams;
  /** Statuses besides 2xx whose answers the caller reads. */
  readonly accept?: readonly number[];
}

export interface ServiceAnswer {
  readonly status: number;
  readonly body: Readonly<Record<string, unknown>>;
}

/** Calls a service with JSON over HTTP. */
export class ServiceConnection {
  readonly #agent: Agent;

  /** `caFile`: certificates of authorities to trust besides the usual ones. Throws when it cannot be read. */
  constructor(
    private readonly origin: string,
    caFile?: string,
  ) {
    const connect = caFile === undefined ? {} : { ca: readFileSync(caFile) };
    this.#agent = new Agent({ connect, maxResponseSize: MAX_ANSWER_BYTES });
  }

  /**
   * Throws `KeyServiceError`, whose message has the status or the code of the failure only, and the signal's
   * reason.
   */
  async call(call: ServiceCall, signal: AbortSignal): Promise<ServiceAnswer> {
    const { status, headers, text } = await this.send(call, signal);
    if ((status < 200 || status > 299) && !call.accept?.includes(status)) {
      throw failedStatus(status, headers['retry-after']);
    }
    try {
      const body = (text === '' ? {} : JSON.parse(text)) as unknown;
      if (typeof body !== 'object' || body === null) throw new TypeError('not an object');
      return { status, body: body as Record<string, unknown> };
    } catch {
      throw new KeyServiceError('malformed', 'its answer is not a JSON object');
    }
  }

  private async send(call: ServiceCall, signal: AbortSignal): Promise<Exchanged> {
    const { method, path, headers, body } = call;
    const isForm = body instanceof URLSearchParams;
    const type = isForm ? 'application/x-www-form-urlencoded' : 'application/json';
    const options = {
      origin: this.origin,
      path,
      method,
      headers: { ...headers, ...(body && { 'content-type': type }) },
      ...(body && { body: isForm ? body.toString() : JSON.stringify(body) }),
    };
    try {
      return await exchange(this.#agent, options, signal);
    } catch (error) {
      if (signal.aborted) throw signal.reason;
      const { code, name } = error as { code?: string; name?: string };
      throw new KeyServiceError('unreachable', code ?? name ?? 'no connection');
    }
  }
}

function failedStatus(status: number, header: string | string[] | undefined): KeyServiceError {
  const message = `HTTP status ${status}`;
  const retryAfterMs = Math.min(readRetryAfter(header) ?? 0, LONGEST_PAUSE_MS);
  if (status === 429) return new KeyServiceError('throttled', message, retryAfterMs);
  if (status >= 500) return new KeyServiceError('unreachable', message, retryAfterMs);
  return new KeyServiceError('refused', message);
}
