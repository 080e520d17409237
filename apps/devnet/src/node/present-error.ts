import type { CallMethod } from '@forecourt/json-rpc';
import { invalidParams, JsonRpcCode, JsonRpcError } from '@forecourt/contracts';
import { EngineError } from '../engine/engine-error.js';
import { LockConflict } from '../engine/lock-conflict.js';
import { type FoundBy, InputsRefused, INTRODUCTION } from '../engine/inputs-refused.js';
import type { NodeProfile } from './node-profile.js';
import type { NodeProfiles } from './node-profiles.js';
import { TransactionNotFound } from './transaction-not-found.js';

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
function describeReason(
  code: number,
  message: string,
  profile: NodeProfile,
  foundBy?: FoundBy,
): { readonly reason: string } | undefined {
  if (profile.version !== '2026' && !profile.certificateless) return undefined;
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

/** Code of a transaction that is not found, since August 2026. */
const TRANSACTION_NOT_FOUND = -32003;
/** Nodes put the fault of a parameter into the data; the legacy events dialect puts it into the message. */
const INVALID_PARAMS = 'Invalid params: ';
const EXECUTE = 'iota_executeTransactionBlock';

/** Wraps `run`: its errors get the codes, texts and data of a node of the current profile. */
export function withPresentedErrors(run: CallMethod, profiles: NodeProfiles): CallMethod {
  return async (method, params, context) => {
    try {
      return await run(method, params, context);
    } catch (error) {
      throw presentError(error, method, profiles.current);
    }
  };
}

/** Errors of other classes than `EngineError` and `JsonRpcError` are returned unchanged. */
export function presentError(error: unknown, method: string, profile: NodeProfile): unknown {
  const presented = presentByNode(error, method, profile);
  if (!(presented instanceof JsonRpcError) || !profile.behindIndexer) return presented;
  const isPassedOn = method === EXECUTE || error instanceof TransactionNotFound;
  return isPassedOn ? passOn(presented) : presented;
}

function presentByNode(error: unknown, method: string, profile: NodeProfile): unknown {
  if (error instanceof TransactionNotFound) {
    const code = profile.version === '2026' ? TRANSACTION_NOT_FOUND : error.code;
    return new JsonRpcError(code, error.message);
  }
  if (error instanceof InputsRefused) {
    return method === EXECUTE ? presentFault(error, profile) : presentDryRun(error, profile);
  }
  if (error instanceof LockConflict) return presentConflict(error, profile);
  const isRefusal = error instanceof EngineError || error instanceof JsonRpcError;
  if (!isRefusal) return error;
  const { code, message } = error;
  const data = error instanceof JsonRpcError ? error.data : undefined;
  const isOfNode = !method.startsWith('ledger_');
  if (isOfNode && data === undefined && message.startsWith(INVALID_PARAMS)) {
    return new JsonRpcError(code, 'Invalid params', message.slice(INVALID_PARAMS.length));
  }
  return new JsonRpcError(code, message, data ?? describeReason(code, message, profile));
}

function presentFault({ fault, foundBy }: InputsRefused, profile: NodeProfile): JsonRpcError {
  const message =
    profile.version === '2026'
      ? `${INTRODUCTION}\n- ${fault.recentText ?? fault.text}`
      : `${INTRODUCTION} ${fault.text}.`;
  const isTransient = profile.missingIsTransient && fault.missing;
  const code = isTransient ? JsonRpcCode.transient : JsonRpcCode.transactionClientError;
  return new JsonRpcError(code, message, describeReason(code, message, profile, foundBy));
}

/**
 * A dry run involves no validators; a node of 2025 prints the fault's name and fields in place of its text.
 */
function presentDryRun({ fault }: InputsRefused, { version }: NodeProfile): JsonRpcError {
  const text = version === '2026' ? (fault.recentText ?? fault.text) : (fault.debug ?? fault.text);
  return invalidParams(`Error checking transaction input objects: ${text}`);
}

/**
 * With certificates the data names the conflicting transactions; without, a conflict is rejected like any
 * other fault.
 */
function presentConflict({ code, message, locked }: LockConflict, profile: NodeProfile) {
  if (profile.certificateless) {
    return new JsonRpcError(code, message, describeReason(code, message, profile, 'validators'));
  }
  const data = Object.fromEntries(
    [...locked].map(([digest, references]) => [
      digest,
      references.map((each) => [each.objectId, each.version, each.digest]),
    ]),
  );
  return new JsonRpcError(code, message, data);
}

/** An indexer's answer: its own code, with the node's error as text. */
function passOn({ code, message }: JsonRpcError): JsonRpcError {
  return new JsonRpcError(
    JsonRpcCode.internal,
    `Indexer failed to call the fullnode: ErrorObject { code: ServerError(${code}), message: ${JSON.stringify(message)}, data: None }`,
  );
}
