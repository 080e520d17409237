import { GatewayError, NO_ANSWER } from './gateway-error.js';
import { type Operations, routes } from '../generated/gateway-types.js';
import { session } from './session.js';
import { STATION_URL } from './station-url.js';

export type OperationName = keyof Operations;

type Part<Name extends OperationName, Key extends string> =
  Operations[Name] extends Record<Key, infer Value>
    ? { readonly [K in Key]: Value }
    : { readonly [K in Key]?: never };

/** The parts that a request of this operation has. */
export type RequestOf<Name extends OperationName> = Part<Name, 'path'> &
  Part<Name, 'body'> & {
    readonly query?: Operations[Name] extends { query: infer Query } ? Query : never;
    readonly signal?: AbortSignal;
    readonly timeoutMs?: number;
    /** Instead of the session's. */
    readonly token?: string;
  };

interface LooseRequest {
  readonly path?: Readonly<Record<string, unknown>>;
  readonly query?: Readonly<Record<string, unknown>>;
  readonly body?: unknown;
  readonly signal?: AbortSignal;
  readonly timeoutMs?: number;
  readonly token?: string;
}

/**
 * Calls a route of the gateway by its operation id. Throws `GatewayError`; a refused token ends the session.
 */
export async function callGateway<Name extends OperationName>(
  name: Name,
  request: RequestOf<Name>,
): Promise<Operations[Name]['answer']> {
  const response = await send(name, request as LooseRequest);
  return (await response.json()) as Operations[Name]['answer'];
}

/** The same for an answer in text, such as CSV. */
export async function readText<Name extends OperationName>(
  name: Name,
  request: RequestOf<Name>,
): Promise<string> {
  return (await send(name, request as LooseRequest)).text();
}

async function send(name: OperationName, request: LooseRequest): Promise<Response> {
  const { path = {}, query = {}, body, signal, timeoutMs } = request;
  const token = request.token ?? session.token ?? '';
  const [method, pattern] = routes[name];
  const filled = pattern.replaceAll(/\{(\w+)\}/g, (_, key: string) =>
    encodeURIComponent(String(path[key])),
  );
  const parameters = Object.entries(query).filter(
    ([, value]) => value !== undefined && value !== '',
  );
  const search = new URLSearchParams(parameters.map(([key, value]) => [key, String(value)]));
  let response: Response;
  try {
    response = await fetch(`${STATION_URL}${filled}${parameters.length > 0 ? `?${search}` : ''}`, {
      method,
      headers: {
        authorization: `Bearer ${token}`,
        ...(body !== undefined && { 'content-type': 'application/json' }),
      },
      ...(body !== undefined && { body: JSON.stringify(body) }),
      signal: AbortSignal.any([
        ...(signal ? [signal] : []),
        ...(timeoutMs === undefined ? [] : [AbortSignal.timeout(timeoutMs)]),
      ]),
    });
  } catch (cause) {
    if (signal?.aborted) throw cause;
    throw new GatewayError(NO_ANSWER, 'The gateway does not answer', 0, null, null, { cause });
  }
  if (response.ok) return response;
  const error = await readError(response);
  const isOfSession = request.token === undefined && token === session.token;
  if (response.status === 401 && isOfSession) session.end('The token is no longer valid.');
  throw error;
}

async function readError(response: Response): Promise<GatewayError> {
  const { status, headers } = response;
  const text = await response.text().catch(() => '');
  const seconds = Number(headers.get('retry-after') ?? NaN);
  return new GatewayError(
    headers.get('error-code') ?? `HTTP_${status}`,
    messageOf(text) ?? `The gateway answered ${status}`,
    status,
    headers.get('x-request-id'),
    Number.isFinite(seconds) ? seconds * 1_000 : null,
  );
}

function messageOf(text: string): string | null {
  try {
    const parsed = JSON.parse(text) as { error?: unknown } | string;
    const message = typeof parsed === 'string' ? parsed : parsed.error;
    return typeof message === 'string' ? message : null;
  } catch {
    return null;
  }
}
