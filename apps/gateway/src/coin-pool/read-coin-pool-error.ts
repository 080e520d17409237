import { NO_MESSAGE_HANDLER } from '@nestjs/microservices/constants.js';
import {
  type CoinPoolPattern,
  type ErrorMessage,
  errorTable,
  ForecourtError,
} from '@forecourt/contracts';

/** An upgrade takes longer than most of what callers are asked to wait for. */
const RETRY_AFTER_SECS = 5;

/**
 * Why the coin-pool at `address` did not do what a message asks: the error that it answered with, as a `ForecourtError`;
 * any other error unchanged, in which case the message may have arrived or not.
 */
export function readCoinPoolError(
  error: unknown,
  { cmd }: CoinPoolPattern,
  address: string,
): unknown {
  if (error === NO_MESSAGE_HANDLER) return outdated(cmd, address, 'it does not know the message');
  if (!isErrorMessage(error)) return error;
  const { code, detail, retryAfterSecs } = error;
  if (code === 'COIN_POOL_OUTDATED') return outdated(cmd, address, detail);
  return new ForecourtError(code, detail, { retryAfterSecs });
}

function outdated(cmd: string, address: string, why: string): ForecourtError {
  const cause = new Error(
    `The coin-pool at ${address} is too old for the message ${cmd}: ${why}. ` +
      'Upgrade coin-pools before gateways, and roll gateways back before coin-pools.',
  );
  return new ForecourtError('COIN_POOL_OUTDATED', '', {
    cause,
    retryAfterSecs: RETRY_AFTER_SECS,
  });
}

function isErrorMessage(error: unknown): error is ErrorMessage {
  return (
    typeof error === 'object' &&
    error !== null &&
    Object.hasOwn(errorTable, String((error as { code?: unknown }).code))
  );
}
