/** Names of the service's JSON-RPC errors. */
const codes = {
  [-32700]: 'PARSE_ERROR',
  [-32701]: 'REQUEST_TOO_BIG',
  [-32702]: 'RESPONSE_TOO_BIG',
  [-32600]: 'INVALID_REQUEST',
  [-32601]: 'METHOD_NOT_FOUND',
  [-32602]: 'INVALID_PARAMS',
  [-32603]: 'INTERNAL',
  [-32000]: 'CALL_FAILED',
  [-32006]: 'TOO_MANY_SUBSCRIPTIONS',
  [-32009]: 'TOO_MANY_REQUESTS',
  [-32010]: 'SLOW_CONSUMER',
  [-32011]: 'SHUTTING_DOWN',
} as const;

export type LedgerEventsErrorCode =
  | (typeof codes)[keyof typeof codes]
  /** The service requires a token, or a different one. */
  | 'UNAUTHORIZED'
  /** The connection was refused or lost, also after repeating. */
  | 'UNREACHABLE'
  /** The time limit of the call has passed. */
  | 'TIMEOUT'
  /**
   * An answer that is not the service's own, such as one of a proxy, or an error that this package does not
   * know.
   */
  | 'UNEXPECTED_ANSWER';

export interface LedgerEventsErrorDetails extends ErrorOptions {
  readonly rpcCode?: number | undefined;
  readonly data?: unknown;
  readonly retryAfterMs?: number | undefined;
}

/** Every failure of a query or a subscription. */
export class LedgerEventsError extends Error {
  override readonly name = 'LedgerEventsError';
  /** The JSON-RPC error's number; undefined if there was none. */
  readonly rpcCode: number | undefined;
  /** Additional data of the service, such as cursors to continue from. */
  readonly data: unknown;
  /** The delay that the service asks for before the next call, in ms. */
  readonly retryAfterMs: number | undefined;

  constructor(
    readonly code: LedgerEventsErrorCode,
    message: string,
    details: LedgerEventsErrorDetails = {},
  ) {
    super(message, details);
    this.rpcCode = details.rpcCode;
    this.data = details.data;
    this.retryAfterMs = details.retryAfterMs;
  }
}

/** The error object of a JSON-RPC answer or notification. */
export interface RpcError {
  readonly code: number;
  readonly message: string;
  readonly data?: unknown;
}

export function fromRpcError(
  { code, message, data }: RpcError,
  retryAfterMs?: number,
): LedgerEventsError {
  const known = (codes as Record<number, LedgerEventsErrorCode>)[code] ?? 'UNEXPECTED_ANSWER';
  return new LedgerEventsError(known, message, { rpcCode: code, data, retryAfterMs });
}
