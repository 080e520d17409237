import type { Connection } from './connection-config.js';
import { sendOnce } from './send-once.js';

/** The gas station's own words about why it does not do what it was asked for. */
export class RouteRefusal extends Error {
  constructor(
    message: string,
    readonly status: number,
  ) {
    super(message);
  }
}

/** Calls a route once. Throws `RouteRefusal`, and `Error` when no answer arrives. */
export async function callRoute<T>(
  connection: Connection,
  method: 'GET' | 'POST',
  path: string,
  body?: object,
): Promise<T> {
  const response = await sendOnce(connection, method, path, body);
  const answer = (await response.json().catch(() => null)) as { result?: T; error?: string } | null;
  if (response.ok && answer?.result !== undefined) return answer.result;
  const { status } = response;
  throw new RouteRefusal(
    answer?.error ?? `${connection.url} answered with status ${status}`,
    status,
  );
}
