import { ForecourtError } from '../errors.js';
import { describeArrived } from '../validation/describe-arrived.js';

/**
 * The version of the messages between gateway and coin-pool: what gateways send, and the newest that coin-pools
 * understand. It is raised when an older coin-pool would do something else than the message means; a message or an
 * optional field that an older one may leave out does not raise it.
 */
export const MESSAGE_VERSION = 1;

/**
 * Lets a message pass whose version this code understands; one without a version is of the first. Throws
 * COIN_POOL_OUTDATED naming both versions, INVALID_REQUEST when it is not a version.
 */
export function requireKnownMessage(message: unknown): void {
  if (typeof message !== 'object' || message === null || !('version' in message)) return;
  const { version } = message;
  if (typeof version !== 'number' || !Number.isSafeInteger(version) || version < 1) {
    const problem = `version must be an integer from 1; got ${describeArrived(version)}`;
    throw new ForecourtError('INVALID_REQUEST', `Invalid message: ${problem}`);
  }
  if (version > MESSAGE_VERSION) {
    const detail = `it understands messages up to version ${MESSAGE_VERSION}, and this one is of version ${version}`;
    throw new ForecourtError('COIN_POOL_OUTDATED', detail);
  }
}
