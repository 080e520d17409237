import { fromBinary } from '@bufbuild/protobuf';
import { anyUnpack } from '@bufbuild/protobuf/wkt';
import { ErrorInfoSchema, type Status, StatusSchema } from '@forecourt/node-messages';
import { type ServiceError, status } from '@grpc/grpc-js';
import { NodeFailure, NodeRefusal } from '../nodes/node-errors.js';

/** The JSON-RPC codes that mean the same, by which callers judge a refusal. */
const CLIENT_ERROR = -32_002;
const NOT_FOUND = -32_003;
const TRANSIENT = -32_050;
const NO_METHOD = -32_601;
const INVALID_PARAMS = -32_602;
const INTERNAL = -32_603;

/** Statuses with which the node itself answers; others may come from a proxy or mean that no answer arrived. */
const CODES: Readonly<Partial<Record<number, number>>> = {
  [status.INVALID_ARGUMENT]: INVALID_PARAMS,
  [status.OUT_OF_RANGE]: INVALID_PARAMS,
  [status.NOT_FOUND]: NOT_FOUND,
  [status.UNIMPLEMENTED]: NO_METHOD,
  [status.FAILED_PRECONDITION]: INTERNAL,
  [status.ABORTED]: TRANSIENT,
};
const DENIED: ReadonlySet<number> = new Set([status.UNAUTHENTICATED, status.PERMISSION_DENIED]);

/** The error of a whole call. */
export function failureOf(error: ServiceError): NodeFailure | NodeRefusal {
  const { code, details } = error;
  if (CODES[code] !== undefined) {
    const [bytes] = error.metadata.get('grpc-status-details-bin');
    const full = bytes instanceof Buffer ? fromBinary(StatusSchema, bytes) : null;
    return refusalOf(code, details, full);
  }
  const advice = DENIED.has(code) ? ': the node may need headers (LEDGER_HEADERS)' : '';
  return new NodeFailure(`${status[code]}: ${details}${advice}`, {
    mayBeProcessed: true,
    cause: error,
  });
}

/** The error of one item of a call; its outcome is uncertain unless the status or its reason is certain. */
export function itemRefusal(item: Status): NodeRefusal {
  return refusalOf(item.code, item.message, item);
}

export function notConnected(cause: Error): NodeFailure {
  return new NodeFailure(`no connection: ${cause.message}`, { mayBeProcessed: false, cause });
}

function refusalOf(code: number, message: string, full: Status | null): NodeRefusal {
  const reason = full === null ? null : readReason(full);
  const rpcCode = reason === null ? (CODES[code] ?? TRANSIENT) : CLIENT_ERROR;
  return new NodeRefusal(message, rpcCode, reason === null ? undefined : { reason });
}

function readReason({ details }: Status): string | null {
  for (const detail of details) {
    const info = anyUnpack(detail, ErrorInfoSchema);
    if (info && info.reason !== '') return info.reason;
  }
  return null;
}
