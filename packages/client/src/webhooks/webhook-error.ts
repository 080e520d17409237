/**
 * Why a request is not a webhook of the gas station. `MALFORMED`: a header is missing or unreadable, or the
 * body is not a message. `WRONG_SIGNATURE`: it was not signed with a given secret, or was changed. `STALE`:
 * it was signed too long ago, or in the future.
 */
export type WebhookErrorCode = 'MALFORMED' | 'WRONG_SIGNATURE' | 'STALE';

/** A request that must not be processed: answer it with 400. */
export class WebhookError extends Error {
  override readonly name = 'WebhookError';

  constructor(
    readonly code: WebhookErrorCode,
    message: string,
  ) {
    super(message);
  }
}
