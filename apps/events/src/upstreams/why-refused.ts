import { JsonRpcCode } from '@forecourt/json-rpc';
import { NodeRefused } from './call-node.js';

/**
 * Invalid params before August 2026 and "not found" since, or an internal error behind an indexer. Checkpoints are missed
 * with "invalid request".
 */
const CODES: readonly number[] = [
  JsonRpcCode.invalidParams,
  -32_003,
  JsonRpcCode.internal,
  JsonRpcCode.invalidRequest,
  JsonRpcCode.callFailed,
];
/** The last is what a node says of pruned transactions when it is asked for several. */
const TEXT = /not found|could not find|because effect is empty/i;

/** Whether a node says that it does not have what was asked for. The codes mean other things too, so the text decides. */
export function isNotFound(error: unknown): error is NodeRefused {
  return error instanceof NodeRefused && CODES.includes(error.code) && TEXT.test(error.message);
}

/** Whether a node has what was asked for, and cannot show it; another page could be answered. */
export function isUnreadable(error: unknown): error is NodeRefused {
  return (
    error instanceof NodeRefused && error.code !== JsonRpcCode.methodNotFound && !isNotFound(error)
  );
}
