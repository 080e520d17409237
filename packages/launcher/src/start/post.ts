/** A gateway, and the token to call it with. */
export interface GatewayAccess {
  readonly gatewayUrl: string;
  readonly token: string;
}

/** An answer with another status than 200; the message is the service's own. */
export class Refused extends Error {
  constructor(
    readonly status: number,
    path: string,
    message: string,
  ) {
    super(`${path} answered ${status}: ${message}`);
  }
}

/** Posts JSON and returns the answer's body. Throws `Refused` for any status but 200. */
export async function post<T>(gateway: GatewayAccess, path: string, body: unknown): Promise<T> {
  const response = await fetch(`${gateway.gatewayUrl}${path}`, {
    method: 'POST',
    headers: { authorization: `Bearer ${gateway.token}`, 'content-type': 'application/json' },
    body: JSON.stringify(body),
    signal: AbortSignal.timeout(90_000),
  });
  const text = await response.text();
  if (response.status !== 200) throw new Refused(response.status, path, text);
  return JSON.parse(text) as T;
}
