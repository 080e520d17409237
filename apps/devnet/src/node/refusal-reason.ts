import { JsonRpcCode } from '@forecourt/json-rpc';
import type { FoundBy } from '../engine/engine-error.js';
import type { NodeProfile } from './node-profile.js';

/** Reasons that newer nodes send in `error.data`. */
const REFUSAL_REASONS = {
  invalidTransaction: 'INVALID_TRANSACTION',
  rejectedByValidators: 'REJECTED_BY_VALIDATORS',
  invalidSignature: 'INVALID_USER_SIGNATURE',
  finalized: 'TX_ALREADY_FINALIZED_WITH_DIFFERENT_USER_SIGNATURES',
  nonRecoverable: 'NON_RECOVERABLE_TRANSACTION_ERROR',
  timeout: 'TIMEOUT_BEFORE_FINALITY',
  transient: 'FAILED_WITH_TRANSIENT_ERROR_AFTER_MAXIMUM_ATTEMPTS',
} as const;

/** `error.data` of a failed write; undefined where a node of this profile sends none. */
export function describeReason(
  code: number,
  message: string,
  profile: NodeProfile,
  foundBy?: FoundBy,
): { readonly reason: string } | undefined {
  if (profile.version === '2025' && !profile.certificateless) return undefined;
  const reason = reasonOf(code, message, profile.certificateless, foundBy);
  return reason === null ? undefined : { reason };
}

function reasonOf(
  code: number,
  message: string,
  certificateless: boolean,
  foundBy: FoundBy | undefined,
): string | null {
  if (code === JsonRpcCode.transient) {
    return /timed out/.test(message) ? REFUSAL_REASONS.timeout : REFUSAL_REASONS.transient;
  }
  if (code !== JsonRpcCode.transactionClientError) return null;
  if (/^Invalid user signature/.test(message)) return REFUSAL_REASONS.invalidSignature;
  if (/already finalized/.test(message)) return REFUSAL_REASONS.finalized;
  if (!certificateless) return REFUSAL_REASONS.nonRecoverable;
  return foundBy === 'node'
    ? REFUSAL_REASONS.invalidTransaction
    : REFUSAL_REASONS.rejectedByValidators;
}
