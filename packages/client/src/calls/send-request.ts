import { Unanswered } from './unanswered.js';

export interface HttpRequest {
  readonly url: string;
  readonly method: 'GET' | 'POST';
  readonly headers: Record<string, string>;
  readonly body?: string;
}

export interface HttpAnswer {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
}

/** Sends a request once and reads the whole answer. Throws `Unanswered`. */
export async function sendRequest(
  fetch: typeof globalThis.fetch,
  { url, ...init }: HttpRequest,
  signal: AbortSignal,
): Promise<HttpAnswer> {
  try {
    const response = await fetch(url, { ...init, signal });
    const { status, headers } = response;
    return { status, headers, text: await response.text() };
  } catch (cause) {
    throw new Unanswered('UNREACHABLE', `The connection to ${url} failed`, { cause });
  }
}
