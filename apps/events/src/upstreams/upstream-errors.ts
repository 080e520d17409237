import { JsonRpcCode, previousEventId, writeCursor } from '@forecourt/contracts';
import { LRUCache } from 'lru-cache';
import type { Metrics } from '@forecourt/runtime/metrics';
import type { Logger } from '@forecourt/runtime/service';

/** A ledger node did not respond, or not as expected. */
export class UpstreamFailed extends Error {
  override readonly name = 'UpstreamFailed';
}

/** The node responded with a JSON-RPC error. */
export class NodeRefused extends UpstreamFailed {
  constructor(
    readonly code: number,
    message: string,
  ) {
    super(message);
  }
}

/** The node refuses calls because of its rate limit. */
export class RateLimited extends UpstreamFailed {
  /** `retryAfterMs`: the time that the node asks for; null if it does not say. */
  constructor(readonly retryAfterMs: number | null) {
    const wait = retryAfterMs === null ? '' : `; retry in ${Math.ceil(retryAfterMs / 1_000)} s`;
    super(`ledger node limits the rate of calls${wait}`);
  }
}

/**
 * The response is not a JSON-RPC reply with a 2xx status; a balancer in front of the node may have sent it.
 */
export class InvalidReply extends UpstreamFailed {}

/** Error texts of nodes may contain whole stack traces. */
const MAX_REASON = 300;

/**
 * A node responds, but does not have, or cannot show, part of the ledger. Another node may; this one stays in
 * use for all other data.
 */
export abstract class UnsupportedByUpstream extends UpstreamFailed {
  abstract readonly kind: 'pruned' | 'inconvertible' | 'gap' | 'unanswerable';
  /** For clients: where to continue, or which data is missing. */
  abstract readonly data: Readonly<Record<string, unknown>>;
}

/** The first transaction that a pruned node still has. */
interface EarliestPosition {
  readonly checkpoint: number;
  readonly txSeq: number;
}

/** The requested events are older than the node's history. */
export class HistoryPruned extends UnsupportedByUpstream {
  readonly kind = 'pruned';
  readonly data: Readonly<Record<string, unknown>>;

  constructor(readonly earliest: EarliestPosition) {
    const { checkpoint, txSeq } = earliest;
    const cursor = writeCursor({ txSeq, eventSeq: 0 });
    super(
      `History is pruned: the ledger node has nothing before checkpoint ${checkpoint}; the earliest available position is cursor ${cursor} (txSeq ${txSeq})`,
    );
    this.data = { earliest: { cursor, checkpoint, txSeq } };
  }
}

/** The node cannot show a transaction, or omits the parts from which its events are derived. */
export class TransactionInconvertible extends UnsupportedByUpstream {
  readonly kind = 'inconvertible';
  readonly data: Readonly<Record<string, unknown>>;

  /** `digest` is in base58. `txSeq` is null if the node does not even report where the transaction is. */
  constructor(
    readonly digest: string,
    readonly txSeq: number | null,
    reason: string,
  ) {
    const why = `cannot be converted to events: ${reason.slice(0, MAX_REASON)}`;
    if (txSeq === null) {
      super(`Transaction ${digest} ${why}`);
      this.data = { transaction: digest };
      return;
    }
    const newerCursor = writeCursor({ txSeq: txSeq + 1, eventSeq: 0 });
    const older = previousEventId({ txSeq, eventSeq: 0 });
    const olderCursor = older && writeCursor(older);
    super(
      `Transaction ${digest} (txSeq ${txSeq}) ${why}; events after it begin at cursor ${newerCursor}`,
    );
    this.data = { transaction: digest, txSeq, newerCursor, olderCursor };
  }
}

/** The node skips a checkpoint that it must have, or shows one that does not continue the previous one. */
export class CheckpointMissing extends UnsupportedByUpstream {
  readonly kind = 'gap';
  readonly data: Readonly<Record<string, unknown>>;

  constructor(
    readonly sequenceNumber: number,
    reason: string,
    /** The lowest checkpoint that the node has; absent: not read. */
    lowest?: number,
  ) {
    const others = lowest === undefined ? '' : `, which has others from checkpoint ${lowest} on`;
    super(`Checkpoint ${sequenceNumber} is missing at the ledger node${others}: ${reason}`);
    this.data = { checkpoint: sequenceNumber, ...(lowest !== undefined && { lowest }) };
  }
}

/** The node has no index for a criterion, so that it cannot answer it, or not in time. */
export class CriterionUnanswerable extends UnsupportedByUpstream {
  readonly kind = 'unanswerable';

  constructor(
    message: string,
    readonly data: Readonly<Record<string, unknown>>,
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

const faultKinds = ['inconvertible', 'gap', 'rate_limited', 'invalid_reply'] as const;

/** A response of a node that cannot be converted to events. */
export interface UpstreamFault {
  readonly kind: (typeof faultKinds)[number];
  /** The node's host and port. */
  readonly host: string;
  readonly message: string;
}

export type ReportFault = (fault: UpstreamFault) => void;

/** Queries and retries repeat a permanent fault; the log shows it once in this time. */
const LOGGED_MS = 60_000;
const REMEMBERED = 1_000;

/** Counts every fault of the nodes at `hosts`, and logs each. */
export function createFaultReport(
  metrics: Metrics,
  logger: Logger,
  hosts: readonly string[],
): ReportFault {
  const faults = metrics.counter<{ upstream: string; kind: UpstreamFault['kind'] }>({
    name: 'events_upstream_faults_total',
    help: 'Responses of ledger nodes that cannot be converted to events: a transaction that cannot be converted, a gap in checkpoints, a rate limit, no JSON-RPC reply.',
    labels: ['upstream', 'kind'],
    known: hosts.flatMap((upstream) => faultKinds.map((kind) => ({ upstream, kind }))),
  });
  const logged = new LRUCache<string, true>({ max: REMEMBERED, ttl: LOGGED_MS });
  return ({ kind, host, message }) => {
    faults.add({ upstream: host, kind });
    // Texts that differ only in the time to wait are the same fault.
    const key = kind === 'rate_limited' ? `${kind} ${host}` : `${kind} ${host} ${message}`;
    if (logged.has(key)) return;
    logged.set(key, true);
    const level = kind === 'inconvertible' || kind === 'gap' ? 'error' : 'warn';
    logger[level]({ upstream: host, kind, error: message }, 'Fault of an upstream');
  };
}
