import type { SigningFault } from '@forecourt/ledger';

/** Why a service has not answered as it should. The message never contains a secret. */
export class KeyServiceError extends Error {
  override readonly name = 'KeyServiceError';

  constructor(
    readonly fault: SigningFault,
    message: string,
    /** The service asks not to be called for this long. */
    readonly retryAfterMs = 0,
  ) {
    super(message);
  }
}
