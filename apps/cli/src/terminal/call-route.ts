import { errorTable } from '@forecourt/contracts';
import type { Connection } from './connection-config.js';
import { RouteRefusal } from './route-refusal.js';

/** A busy gas station answers slowly; an address where nothing answers is noticed sooner. */
const ANSWER_MS = 30_000;

/**
 * Sends one request and never repeats it. `signal` bounds the whole answer. Throws `Error` with the address
 * and the remedy when no answer arrives.
 */
export async function sendOnce(
  { url, token }: Connection,
  method: 'GET' | 'POST',
  path: string,
  body?: object,
  signal?: AbortSignal | null,
): Promise<Response> {
  try {
    return await fetch(`${url.replace(/\/+$/, '')}${path}`, {
      method,
      headers: {
        ...(token !== undefined && { authorization: `Bearer ${token}` }),
        ...(body !== undefined && { 'content-type': 'application/json' }),
      },
      ...(body !== undefined && { body: JSON.stringify(body) }),
      signal: signal === undefined ? AbortSignal.timeout(ANSWER_MS) : signal,
    });
  } catch (error) {
    throw new Error(
      `No answer from ${url} (${reasonOf(error as Error)}). Start the gas station, with npm start for example, or name its address with FORECOURT_URL.`,
      { cause: error },
    );
  }
}

/**
 * Throws `Error` at once when nothing answers at the address: the client for applications repeats its calls
 * for a minute, in which a command would print nothing.
 */
export async function requireGasStation(connection: Connection): Promise<void> {
  const response = await sendOnce(connection, 'GET', '/version');
  await response.body?.cancel();
}

/** Failed connections to a name with several addresses have no message, only a code. */
function reasonOf(error: Error): string {
  const cause = error.cause as NodeJS.ErrnoException | undefined;
  return cause?.message || cause?.code || error.message;
}

const NO_ROUTE = errorTable.NOT_FOUND.message.replace('{detail}', '');

/** Calls a route once. Throws `RouteRefusal`, and `Error` when no answer arrives. */
export async function callRoute<T>(
  connection: Connection,
  method: 'GET' | 'POST',
  path: string,
  body?: object,
): Promise<T> {
  const response = await sendOnce(connection, method, path, body);
  return readAnswer(connection, response);
}

async function readAnswer<T>(connection: Connection, response: Response): Promise<T> {
  const answer = (await response.json().catch(() => null)) as { result?: T; error?: string } | null;
  if (response.ok && answer?.result !== undefined) return answer.result;
  const { status } = response;
  const error = answer?.error;
  const isNoRecord = status === 404 && error !== undefined && !error.startsWith(NO_ROUTE);
  const message = error ?? `${connection.url} answered with status ${status}`;
  throw new RouteRefusal(message, status, isNoRecord);
}
