import { create, toBinary } from '@bufbuild/protobuf';
import { anyPack } from '@bufbuild/protobuf/wkt';
import {
  BadRequestSchema,
  ErrorInfoSchema,
  type Status,
  StatusSchema,
} from '@forecourt/node-messages';
import { ConnectionDropped, HttpReply, JsonRpcCode, JsonRpcError } from '@forecourt/json-rpc';
import { Metadata, type ServiceError, status } from '@grpc/grpc-js';
import { EngineError, InputsRefused, LockConflict } from '../engine/engine-error.js';
import type { NodeProfile } from '../node/node-profile.js';
import { presentError, TransactionNotFound } from '../node/present-error.js';

const DOMAIN = 'iota.org';
const EXECUTE = 'iota_executeTransactionBlock';

/** Why a node refuses a transaction: it proved it invalid, or validators did not accept it. */
type Reason = 'INVALID_TRANSACTION' | 'REJECTED_BY_VALIDATORS';

/** An answer that is an error, of a call or of one of its items. */
export class GrpcFailure extends Error {
  constructor(readonly status: Status) {
    super(status.message);
  }
}

export function failure(code: status, message: string): GrpcFailure {
  return new GrpcFailure(create(StatusSchema, { code, message }));
}

/** A field that cannot be read; `description` empty: it is missing. */
export function invalidField(field: string, description = ''): GrpcFailure {
  const reason = description === '' ? 'FIELD_MISSING' : 'FIELD_INVALID';
  const violations = create(BadRequestSchema, {
    fieldViolations: [{ field, description, reason }],
  });
  return new GrpcFailure(
    create(StatusSchema, {
      code: status.INVALID_ARGUMENT,
      message: description,
      details: [anyPack(BadRequestSchema, violations)],
    }),
  );
}

/** The status that a node sends for an error of the engine, of a read or of a fault; `ConnectionDropped` has none. */
export function statusOf(error: unknown, profile: NodeProfile): Status {
  if (error instanceof HttpReply) return plain(statusOfHttp(error.status), error.body);
  if (error instanceof ConnectionDropped) throw error;
  if (error instanceof GrpcFailure) return error.status;
  if (error instanceof TransactionNotFound) return plain(status.NOT_FOUND, error.message);
  const presented = presentError(error, EXECUTE, profile);
  if (!(presented instanceof JsonRpcError)) {
    return plain(status.INTERNAL, error instanceof Error ? error.message : String(error));
  }
  const { code, message } = presented;
  if (code === JsonRpcCode.transactionClientError) return refused(message, reasonOf(error));
  if (code === JsonRpcCode.invalidParams && error instanceof EngineError) {
    return invalidField('transaction.bcs', message).status;
  }
  return plain(isTimeout(code, message) ? status.DEADLINE_EXCEEDED : codeOf(code), message);
}

const CODES: Readonly<Record<number, status>> = {
  [JsonRpcCode.transient]: status.UNAVAILABLE,
  [JsonRpcCode.tooManyRequests]: status.RESOURCE_EXHAUSTED,
  [JsonRpcCode.invalidParams]: status.INVALID_ARGUMENT,
  [JsonRpcCode.methodNotFound]: status.UNIMPLEMENTED,
};

const codeOf = (code: number) => CODES[code] ?? status.INTERNAL;

function isTimeout(code: number, message: string): boolean {
  return code === JsonRpcCode.transient && /timed out/.test(message);
}

function plain(code: status, message: string): Status {
  return create(StatusSchema, { code, message });
}

function refused(message: string, reason: Reason): Status {
  const info = create(ErrorInfoSchema, { reason, domain: DOMAIN });
  return create(StatusSchema, {
    code: status.INVALID_ARGUMENT,
    message,
    details: [anyPack(ErrorInfoSchema, info)],
  });
}

/** Signatures and bytes are the node's to check; objects and their locks the validators'. */
function reasonOf(error: unknown): Reason {
  const isValidators =
    error instanceof LockConflict ||
    (error instanceof InputsRefused && error.foundBy === 'validators') ||
    (error instanceof Error && /already finalized/.test(error.message));
  return isValidators ? 'REJECTED_BY_VALIDATORS' : 'INVALID_TRANSACTION';
}

/** The status to which clients map an answer of a proxy. */
export function statusOfHttp(httpStatus: number): status {
  switch (httpStatus) {
    case 400:
      return status.INTERNAL;
    case 401:
      return status.UNAUTHENTICATED;
    case 403:
      return status.PERMISSION_DENIED;
    case 404:
      return status.UNIMPLEMENTED;
    case 429:
    case 502:
    case 503:
    case 504:
      return status.UNAVAILABLE;
    default:
      return status.UNKNOWN;
  }
}

/** A status as the error of a whole call. */
export function serviceError(shown: Status): Partial<ServiceError> {
  const metadata = new Metadata();
  if (shown.details.length > 0) {
    metadata.set('grpc-status-details-bin', Buffer.from(toBinary(StatusSchema, shown)));
  }
  return { code: shown.code, details: shown.message, metadata };
}
