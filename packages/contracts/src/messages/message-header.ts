import { describeArrived } from '../dto/index.js';
import { ForecourtError } from '../errors.js';

/** The fields of every message in addition to those of its DTO. */
export interface MessageHeader {
  /** See `MESSAGE_VERSION`. */
  readonly version?: number;
  /** The id of the request that it is sent for, if there is one, for the log. */
  readonly requestId?: string;
  /** W3C `traceparent` of the request's trace; absent without tracing. */
  readonly traceparent?: string;
}

/**
 * The version of the messages between gateway and coin-pool: the one that gateways send, and the newest that
 * coin-pools understand. It is raised if an older coin-pool would misinterpret the message; a new message, or
 * an optional field that an older coin-pool may ignore, does not raise it.
 */
export const MESSAGE_VERSION = 2;

/**
 * Accepts a message whose version this code understands; one without a version has version 1. Throws
 * COIN_POOL_OUTDATED naming both versions if it is newer, INVALID_REQUEST if it is not a version.
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
