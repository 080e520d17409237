import { LONGEST_TIMER_MS, orAborted, throwIfAborted } from './delays.js';
import { Unanswered } from './unanswered.js';

/**
 * Runs `work` with a signal that aborts with `signal`, or after `limitMs`. Throws `Unanswered`, which names
 * `peer`, the reason of `signal`, and the errors of `work`.
 */
export async function withinTime<T>(
  limitMs: number,
  signal: AbortSignal | undefined,
  peer: string,
  work: (signal: AbortSignal) => Promise<T>,
): Promise<T> {
  throwIfAborted(signal);
  const controller = new AbortController();
  let timer: ReturnType<typeof setTimeout> | undefined;
  const over = new Promise<never>((_, reject) => {
    const end = () => reject(new Unanswered('TIMEOUT', `No answer from ${peer} in time`));
    timer = setTimeout(end, Math.min(limitMs, LONGEST_TIMER_MS));
  });
  try {
    return await orAborted(Promise.race([work(controller.signal), over]), signal);
  } finally {
    clearTimeout(timer);
    controller.abort();
  }
}

export interface HttpRequest {
  readonly url: string;
  readonly method: 'GET' | 'POST';
  readonly headers: Record<string, string>;
  readonly body?: string | undefined;
}

export interface HttpAnswer {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
}

/** Sends a request once and reads the whole answer. Throws `Unanswered`. */
export async function sendRequest(
  fetch: typeof globalThis.fetch,
  { url, body, ...init }: HttpRequest,
  signal: AbortSignal,
): Promise<HttpAnswer> {
  try {
    const response = await fetch(url, { ...init, body: body ?? null, signal });
    const { status, headers } = response;
    return { status, headers, text: await response.text() };
  } catch (cause) {
    throw new Unanswered('UNREACHABLE', `The connection to ${url} failed`, { cause });
  }
}
