import { JsonRpcCode } from '@forecourt/contracts';
import { UpstreamFailed } from './upstream-failed.js';

/** The node responded with a JSON-RPC error. */
export class NodeRefused extends UpstreamFailed {
  constructor(
    readonly code: number,
    message: string,
  ) {
    super(message);
  }
}

/**
 * Codes with which nodes report a missing transaction (-32602 before August 2026, -32003 since, -32603 behind
 * an indexer) or a missing checkpoint (-32600).
 */
const NOT_FOUND_CODES: readonly number[] = [
  JsonRpcCode.invalidParams,
  -32_003,
  JsonRpcCode.internal,
  JsonRpcCode.invalidRequest,
  JsonRpcCode.callFailed,
];
/** The last alternative is the text for pruned transactions in a request for several. */
const NOT_FOUND = /not found|could not find|because effect is empty/i;
/** Full nodes print the filter in Rust's `Debug` form: `Unsupported("Some(ChangedObject(0x…))")`. */
const UNSUPPORTED = /\bunsupported\(|is not supported/i;

/**
 * Whether a node reports that it lacks the requested data. The codes have other meanings too, so the text
 * decides.
 */
export function isNotFound(error: unknown): error is NodeRefused {
  return (
    error instanceof NodeRefused &&
    NOT_FOUND_CODES.includes(error.code) &&
    NOT_FOUND.test(error.message)
  );
}

/** Whether a node has no index for a filter. */
export function isUnsupported(error: unknown): error is NodeRefused {
  return error instanceof NodeRefused && UNSUPPORTED.test(error.message);
}

/** Whether a node has the requested data, but cannot show it; it may still answer other requests. */
export function isUnreadable(error: unknown): error is NodeRefused {
  return (
    error instanceof NodeRefused && error.code !== JsonRpcCode.methodNotFound && !isNotFound(error)
  );
}
