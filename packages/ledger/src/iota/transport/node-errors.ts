import { JsonRpcError } from '@iota/iota-sdk/client';
import { LedgerUnreachable } from '../../ledger.js';

/** A node responded with a JSON-RPC error. The SDK's own error lacks `data`. */
export class NodeRefusal extends JsonRpcError {
  constructor(
    message: string,
    code: number,
    /** The node's additional error data; undefined when there is none. */
    readonly data: unknown,
  ) {
    super(message, code);
  }
}

interface NodeFailureDetails {
  /** Whether the node may still have processed the call. */
  readonly mayBeProcessed: boolean;
  /** The node limits calls: retry after this many milliseconds. */
  readonly retryAfterMs?: number | undefined;
  /** HTTP status of the response, where there was one. */
  readonly status?: number | undefined;
  /** Whether the node is on another network than required. */
  readonly isForeign?: boolean;
  readonly cause?: unknown;
}

/** A node did not respond to a call, or its response cannot be used. */
export class NodeFailure extends LedgerUnreachable {
  readonly mayBeProcessed: boolean;
  readonly retryAfterMs: number | undefined;
  readonly status: number | undefined;
  readonly isForeign: boolean;

  constructor(message: string, details: NodeFailureDetails) {
    super(message, { cause: details.cause });
    this.mayBeProcessed = details.mayBeProcessed;
    this.retryAfterMs = details.retryAfterMs;
    this.status = details.status;
    this.isForeign = details.isForeign ?? false;
  }
}
