import type { Connection } from './connection-config.js';

/** Calls a route for operators. Throws `Error` with the gas station's own words. */
export async function callOperatorRoute<T>(
  { url, token }: Connection,
  method: 'GET' | 'POST',
  path: string,
  body?: object,
): Promise<T> {
  const response = await fetch(`${url.replace(/\/+$/, '')}${path}`, {
    method,
    headers: {
      ...(token !== undefined && { authorization: `Bearer ${token}` }),
      ...(body !== undefined && { 'content-type': 'application/json' }),
    },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  }).catch((cause: unknown) => {
    const reason = ((cause as Error).cause as Error | undefined)?.message ?? String(cause);
    throw new Error(`No answer from ${url}: ${reason}`);
  });
  const answer = (await response.json().catch(() => null)) as { result?: T; error?: string } | null;
  if (response.ok && answer?.result !== undefined) return answer.result;
  throw new Error(answer?.error ?? `${url} answered with status ${response.status}`);
}
