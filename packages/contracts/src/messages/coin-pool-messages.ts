import { ForecourtError } from '../errors.js';
import { describeArrived } from '../validation/read-dto.js';

/**
 * The gateway's messages to the coin-pool over Nest's TCP transport. The patterns are objects because Nest throws and
 * catches a syntax error for every message with a plain text pattern. Errors come back as `ErrorMessage`. In addition
 * to the errors of its DTO, every message throws INVALID_REQUEST if its fields do not match its DTO, COIN_POOL_OUTDATED
 * if its version is newer, POOL_REFUSED while the replica shuts down, and STORE_UNREACHABLE if Redis does not answer.
 */
export const coinPoolPatterns = {
  reserveGas: { cmd: 'reserve-gas' },
  findReservation: { cmd: 'find-reservation' },
  claimReservation: { cmd: 'claim-reservation' },
  /**
   * The fields of `find-reservation`; enqueues the job of the caller's claim for this transaction, unless it is in the queue
   * or has begun. Empty reply. Throws OUTCOME_UNKNOWN when the queue does not answer.
   */
  enqueueClaim: { cmd: 'enqueue-claim' },
  releaseReservation: { cmd: 'release-reservation' },
  readUsages: { cmd: 'read-usages' },
  inspectPools: { cmd: 'inspect-pools' },
  explainTransaction: { cmd: 'explain-transaction' },
  /**
   * Reserves, signs an unsubmittable message, asks the ledger and releases the coin. Empty both ways.
   * Throws NO_COINS, POOL_REFUSED, SPONSOR_DRAINED, LEDGER_UNREACHABLE.
   */
  checkPool: { cmd: 'check-pool' },
  drainSponsor: { cmd: 'drain-sponsor' },
  undrainSponsor: { cmd: 'undrain-sponsor' },
  withdrawFunds: { cmd: 'withdraw-funds' },
  /** The fields and errors of `withdrawFunds`; orders nothing. Empty reply. */
  checkWithdrawal: { cmd: 'check-withdrawal' },
  reconcilePool: { cmd: 'reconcile-pool' },
  listSponsors: { cmd: 'list-sponsors' },
  findSponsorship: { cmd: 'find-sponsorship' },
  listSponsorships: { cmd: 'list-sponsorships' },
  readChanges: { cmd: 'read-changes' },
} as const;

export type CoinPoolPattern = (typeof coinPoolPatterns)[keyof typeof coinPoolPatterns];

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
 * The version of the messages between gateway and coin-pool: the one that gateways send, and the newest that coin-pools
 * understand. It is raised if an older coin-pool would misinterpret the message; a new message, or an optional field
 * that an older coin-pool may ignore, does not raise it. Since version 2 the coin-pool enqueues the job of a claim.
 */
export const MESSAGE_VERSION = 2;

/**
 * Accepts a message whose version this code understands; one without a version has version 1. Throws COIN_POOL_OUTDATED
 * naming both versions if it is newer, INVALID_REQUEST if it is not a version.
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
