import { JsonRpcError } from '@iota/iota-sdk/client';
import type { ExpectedPayment } from '../../decoded-transaction.js';
import { LedgerUnreachable } from '../../ledger.js';

/** The method that names a node's network. */
export const IDENTIFY = 'iota_getChainIdentifier';

/** A JSON-RPC method and its parameters. */
export interface RpcCall {
  readonly method: string;
  readonly params: readonly unknown[];
  /** Of the transaction that is looked up. */
  readonly payment?: ExpectedPayment | undefined;
  readonly signal?: AbortSignal | undefined;
  /**
   * Of a read of objects: versions that the caller knows of some of them, by id. A dialect that does not tell a deleted
   * object from one that never existed finds out by them.
   */
  readonly knownVersions?: ReadonlyMap<string, number> | undefined;
}

/** Carries calls to a node over one connection, which it opens when a call needs it. */
export interface NodeTransport {
  /**
   * Returns the result of a call. Rejects with `NodeRefusal` when the node answers with an error, and with
   * `NodeFailure` for every other failure.
   */
  call(call: RpcCall, timeoutMs: number): Promise<unknown>;
  /** Whether it carries several calls at once. */
  readonly isShared: boolean;
  close(): void;
}

export interface TransportEvents {
  readonly onConnect: () => void;
  readonly onDisconnect: () => void;
}

export interface TransportOptions {
  readonly url: string;
  /** Sent with every call. */
  readonly headers?: Readonly<Record<string, string>> | undefined;
  /** Time limit of one call, in milliseconds. */
  readonly timeoutMs: number;
}

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

/**
 * The largest answers that nodes give: a transaction with the 64 MB of events that the ledger allows, a page of checkpoints
 * of 10 000 transactions each.
 */
const LARGE = 64 * 2 ** 20;
/** The largest others: effects of 512 KiB in binary form, a state with all validators, one checkpoint. */
const USUAL = 8 * 2 ** 20;

const LARGE_METHODS: ReadonlySet<string> = new Set([
  'iota_dryRunTransactionBlock',
  'iota_getCheckpoints',
  'iota_getEvents',
  'iotax_queryEvents',
  'iotax_queryTransactionBlocks',
]);
/** Large with more parts than the effects. */
const PARTED_METHODS: ReadonlySet<string> = new Set([
  'iota_getTransactionBlock',
  'iota_multiGetTransactionBlocks',
]);

/** The most bytes that an answer to this call may have. */
export function answerBound({ method, params }: Pick<RpcCall, 'method' | 'params'>): number {
  if (LARGE_METHODS.has(method)) return LARGE;
  if (!PARTED_METHODS.has(method)) return USUAL;
  const parts = Object.keys(Object(params[1]) as object);
  return parts.every((part) => part === 'showEffects') ? USUAL : LARGE;
}

/** Of all messages of an answer over gRPC: the largest one that nodes send. */
export const MOST_GRPC_BYTES = 128 * 2 ** 20;
/** Of a checkpoint with all its transactions; the ledger allows 30 MiB without their events and objects. */
export const MOST_CHECKPOINT_BYTES = 256 * 2 ** 20;
