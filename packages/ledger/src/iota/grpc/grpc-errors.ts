import { constants, type IncomingHttpHeaders } from 'node:http2';
import { fromBinary } from '@bufbuild/protobuf';
import { anyUnpack } from '@bufbuild/protobuf/wkt';
import {
  BadRequestSchema,
  ErrorInfoSchema,
  type Status,
  StatusSchema,
} from '../../node-messages/index.js';
import { NodeFailure } from '../transport/node-failure.js';
import { NodeRefusal } from '../transport/node-refusal.js';
import { GrpcError } from './grpc-error.js';
import { UnreadableAnswer } from './unreadable-answer.js';

/** The statuses of gRPC. */
export const status = {
  OK: 0,
  CANCELLED: 1,
  UNKNOWN: 2,
  INVALID_ARGUMENT: 3,
  DEADLINE_EXCEEDED: 4,
  NOT_FOUND: 5,
  ALREADY_EXISTS: 6,
  PERMISSION_DENIED: 7,
  RESOURCE_EXHAUSTED: 8,
  FAILED_PRECONDITION: 9,
  ABORTED: 10,
  OUT_OF_RANGE: 11,
  UNIMPLEMENTED: 12,
  INTERNAL: 13,
  UNAVAILABLE: 14,
  DATA_LOSS: 15,
  UNAUTHENTICATED: 16,
} as const;

const NAMES = new Map<number, string>(Object.entries(status).map(([name, code]) => [code, name]));

/** The name of a status; its number where gRPC does not define it. */
export function nameOfStatus(code: number): string {
  return NAMES.get(code) ?? String(code);
}

/** By the rules of gRPC for an answer of a proxy. */
const OF_HTTP: Readonly<Record<number, number>> = {
  400: status.INTERNAL,
  401: status.UNAUTHENTICATED,
  403: status.PERMISSION_DENIED,
  404: status.UNIMPLEMENTED,
  429: status.UNAVAILABLE,
  502: status.UNAVAILABLE,
  503: status.UNAVAILABLE,
  504: status.UNAVAILABLE,
};
const OF_RESET: Readonly<Record<number, number>> = {
  [constants.NGHTTP2_REFUSED_STREAM]: status.UNAVAILABLE,
  [constants.NGHTTP2_CANCEL]: status.CANCELLED,
  [constants.NGHTTP2_ENHANCE_YOUR_CALM]: status.RESOURCE_EXHAUSTED,
  [constants.NGHTTP2_INADEQUATE_SECURITY]: status.PERMISSION_DENIED,
};

/**
 * The error in the headers or trailers at the end of a call, null for the status OK, undefined where they
 * hold no status.
 */
export function readStatus(headers: IncomingHttpHeaders): GrpcError | null | undefined {
  const text = headers['grpc-status'];
  if (text === undefined) return undefined;
  const code = Number(text);
  if (code === status.OK) return null;
  const [bytes] = String(headers['grpc-status-details-bin'] ?? '').split(',');
  return new GrpcError(
    Number.isInteger(code) ? code : status.UNKNOWN,
    decodePercents(String(headers['grpc-message'] ?? '')),
    bytes ? Buffer.from(bytes, 'base64') : null,
  );
}

/** The error of an answer that does not come from a node; null where headers are those of gRPC. */
export function readHttpError(headers: IncomingHttpHeaders): GrpcError | null {
  const http = Number(headers[':status']);
  const type = headers['content-type'] ?? 'no content type';
  if (http === constants.HTTP_STATUS_OK && type.startsWith('application/grpc')) return null;
  const message = `HTTP status ${http}, ${type}, is not an answer of gRPC`;
  if (http === constants.HTTP_STATUS_OK) return new UnreadableAnswer(status.UNKNOWN, message);
  return new GrpcError(OF_HTTP[http] ?? status.UNKNOWN, message);
}

/** The error of a stream that ended without a status, by the code of its reset. */
export function errorOfReset(code: number): GrpcError {
  if (code === constants.NGHTTP2_NO_ERROR) {
    return new GrpcError(status.UNAVAILABLE, 'the call ended without a status');
  }
  // HTTP/2 promises that a refused stream has not been processed; so are those beyond the last one of a
  // `GOAWAY`.
  const mayBeProcessed = code !== constants.NGHTTP2_REFUSED_STREAM;
  const message = `the node reset the call, code ${code}`;
  return new GrpcError(OF_RESET[code] ?? status.INTERNAL, message, null, mayBeProcessed);
}

/** Text that is not encoded stays as it is. */
function decodePercents(text: string): string {
  return text.replace(/(?:%[0-9a-f]{2})+/gi, (encoded) => {
    try {
      return decodeURIComponent(encoded);
    } catch {
      return encoded;
    }
  });
}

/** The codes of JSON-RPC by which `classifyRefusal` and others judge a refusal. */
const CLIENT_ERROR = -32_002;
const TRANSIENT = -32_050;
const NOT_FOUND = -32_003;
const NO_METHOD = -32_601;
const INTERNAL = -32_603;

/**
 * The meaning of the statuses with which a node refuses. Only `INVALID_ARGUMENT` can be certain: its reason
 * or text decides. With `INTERNAL` a text can tell a conflict from an unknown outcome, and nothing is
 * certain.
 */
const CODES: Readonly<Partial<Record<number, number>>> = {
  [status.INVALID_ARGUMENT]: CLIENT_ERROR,
  [status.NOT_FOUND]: NOT_FOUND,
  [status.ALREADY_EXISTS]: INTERNAL,
  [status.FAILED_PRECONDITION]: INTERNAL,
  [status.OUT_OF_RANGE]: INTERNAL,
  [status.UNIMPLEMENTED]: NO_METHOD,
};
/** Validators may have locked objects for the transaction, or have executed it. */
const REJECTED = 'REJECTED_BY_VALIDATORS';
/**
 * The reasons that decide. `INTERNAL` stands for every other one: an unknown reason leaves the outcome open.
 */
const REASONS: ReadonlySet<string> = new Set([
  'INVALID_TRANSACTION',
  'FIELD_INVALID',
  'FIELD_MISSING',
  REJECTED,
]);
/** The field that names the fields to answer. */
const READ_MASK = 'read_mask';
const DENIED: ReadonlySet<number> = new Set([status.UNAUTHENTICATED, status.PERMISSION_DENIED]);

/**
 * The error of a whole call. A status that may come from a proxy or mean that no answer arrived is a failure.
 */
export function failureOf(error: GrpcError): NodeFailure | NodeRefusal {
  const { code, message, details, mayBeProcessed } = error;
  const full = readDetails(details);
  if (full !== null && isAboutMask(full)) return ofOtherVersion(error);
  if (CODES[code] !== undefined) return refusalOf(code, message, full);
  const advice = DENIED.has(code) ? ': the node may need headers (LEDGER_HEADERS)' : '';
  return new NodeFailure(`${nameOfStatus(code)}: ${message}${advice}`, {
    mayBeProcessed,
    isInvalid: error instanceof UnreadableAnswer,
    cause: error,
  });
}

/**
 * Nodes refuse a whole call that asks for fields which they do not know. That is due to their version and not
 * to the call: another node may answer it.
 */
function ofOtherVersion(error: GrpcError): NodeFailure {
  const message = `${error.message}: the node's version is too old or too new; Forecourt reads nodes of version 1.21 or later over gRPC, so update the node or Forecourt, or use the node's JSON-RPC address`;
  return new NodeFailure(message, { mayBeProcessed: false, isInvalid: true, cause: error });
}

/**
 * The error of one item of a call. With `ABORTED` validators reject a transaction: they hold its objects for
 * another one, or have executed it with other signatures. As the status of a whole call it may come from a
 * proxy and means nothing.
 */
export function itemRefusal(item: Status): NodeRefusal {
  const { code, message } = item;
  if (code !== status.ABORTED) return refusalOf(code, message, item);
  return new NodeRefusal(message, CLIENT_ERROR, { reason: REJECTED });
}

/** Whether the node does not have the item: it never existed, was deleted or pruned. */
export function isAbsent(item: Status): boolean {
  return item.code === status.NOT_FOUND;
}

function refusalOf(code: number, message: string, full: Status | null): NodeRefusal {
  const rpcCode = CODES[code] ?? TRANSIENT;
  if (rpcCode === NOT_FOUND && !/not found/i.test(message)) message = `Not found: ${message}`;
  const reason = rpcCode === CLIENT_ERROR && full !== null ? readReason(full) : null;
  if (reason === null) return new NodeRefusal(message, rpcCode, undefined);
  if (!REASONS.has(reason)) return new NodeRefusal(`${reason}: ${message}`, INTERNAL, undefined);
  return new NodeRefusal(message, rpcCode, { reason });
}

/** Null: there are no readable details. */
function readDetails(bytes: Uint8Array | null): Status | null {
  if (bytes === null) return null;
  try {
    return fromBinary(StatusSchema, bytes);
  } catch {
    return null;
  }
}

/** The reason of the error, or that of the first field which the node could not read. */
function readReason({ details }: Status): string | null {
  try {
    for (const detail of details) {
      const violations = anyUnpack(detail, BadRequestSchema)?.fieldViolations ?? [];
      const reason = anyUnpack(detail, ErrorInfoSchema)?.reason || violations[0]?.reason;
      if (reason) return reason;
    }
  } catch {
    // Malformed details carry no reason.
  }
  return null;
}

function isAboutMask({ details }: Status): boolean {
  try {
    const violations = details.flatMap(
      (detail) => anyUnpack(detail, BadRequestSchema)?.fieldViolations ?? [],
    );
    return violations.some(({ field }) => field === READ_MASK);
  } catch {
    return false;
  }
}
