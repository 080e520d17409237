/** The code of a failure that no gateway has answered. */
export const NO_ANSWER = 'NO_ANSWER';

/** A request that failed: with the gateway's code and message, or `NO_ANSWER`. */
export class GatewayError extends Error {
  override readonly name = 'GatewayError';

  constructor(
    readonly code: string,
    message: string,
    /** HTTP status; 0: no answer. */
    readonly status: number,
    readonly requestId: string | null,
    /** Milliseconds after which the gateway suggests another attempt; null: it suggests none. */
    readonly retryAfterMs: number | null,
    options: { readonly cause?: unknown } = {},
  ) {
    super(message, options);
  }

  /** Whether the same request may succeed later without any change. */
  get isPassing(): boolean {
    return this.status === 0 || this.status === 429 || this.status === 503;
  }
}
