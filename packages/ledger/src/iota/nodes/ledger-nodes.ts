import { setTimeout as delay } from 'node:timers/promises';
import type { NodeClient } from '../client/node-client.js';
import { type ClientCall, RoutedClient } from '../client/routed-client.js';
import { NodeFailure } from '../transport/node-failure.js';
import { NodeRefusal } from '../transport/node-refusal.js';
import { classifyRefusal } from './classify-refusal.js';
import type { NodeConnection } from './node-connection.js';
import { ExpectedNetwork } from './expected-network.js';
import { LedgerNode, type NodeOptions } from './ledger-node.js';

interface NodesOptions extends Omit<NodeOptions, 'url' | 'network'> {
  /** In order of preference; at least one. */
  readonly urls: readonly string[];
  /** The required network; absent: that of the first node that answers. */
  readonly network?: ExpectedNetwork | undefined;
}

/**
 * Transient and internal errors: unless its text says more, the node does not know the outcome of a write, so
 * another may repeat it.
 */
const OUTCOME_UNKNOWN: ReadonlySet<number> = new Set([-32050, -32603]);
/** Time limit of a read at one node while another node is available. */
const READ_MS = 10_000;
/** Longer rate limits are reported to the caller instead of delaying the call. */
const LONGEST_LIMIT_MS = 5_000;

/** The kind of work at a node, and the signal that aborts it. */
interface Work {
  readonly isWrite: boolean;
  readonly signal?: AbortSignal | undefined;
}

type RunAtNode<T> = (node: NodeConnection, waitMs: number) => Promise<T>;

/**
 * Several nodes of one network, used as one: each call goes to the first node without a recent
 * failure, and to the next when that one does not respond.
 */
export class LedgerNodes extends RoutedClient {
  readonly #nodes: readonly LedgerNode[];

  constructor(private readonly options: NodesOptions) {
    super();
    const { network = new ExpectedNetwork() } = options;
    this.#nodes = options.urls.map((url) => new LedgerNode({ ...options, url, network }));
  }

  /**
   * Rejects with `NodeRefusal` when a node answers with an error, and with `NodeFailure` when none gives a
   * usable answer or, for a write, when its outcome is unknown. A node must be on the required network after
   * it has refused a transaction as well: the refusal may release coins that were signed for. A write is
   * repeated at another node only if the first cannot have processed it.
   */
  override send<T>(call: ClientCall<T>): Promise<T> {
    const { method, signal } = call;
    const isWrite = method === 'execute';
    const confirmsRefusal = isWrite || method === 'dryRun';
    return this.untilAccepted({ isWrite, signal }, (node, waitMs) =>
      node.call(call, performance.now() + waitMs, confirmsRefusal),
    );
  }

  /**
   * Runs reads that must agree, or on which coins depend, at one node that is on the required network before
   * and after them; at the next node from the beginning when that one does not respond. Rejects with
   * `NodeFailure` when none does, and as `reads`.
   */
  confirmed<T>(reads: (node: NodeClient) => Promise<T>): Promise<T> {
    return this.untilAccepted({ isWrite: false }, (node, waitMs) => node.confirmed(reads, waitMs));
  }

  override getChainIdentifier = (): Promise<string> =>
    this.untilAccepted({ isWrite: false }, (node, waitMs) =>
      node.readNetwork(performance.now() + waitMs),
    );

  /** Repeats the work after short rate limits. */
  private async untilAccepted<T>(work: Work, run: RunAtNode<T>): Promise<T> {
    const deadline = performance.now() + this.options.timeoutMs;
    for (;;) {
      const failure = await this.runOnce(work, run, deadline);
      if (!(failure instanceof NodeFailure)) return failure;
      const pauseMs = this.limitedMs;
      const isWorthWaiting = pauseMs > 0 && pauseMs <= LONGEST_LIMIT_MS && !failure.mayBeProcessed;
      if (!isWorthWaiting || performance.now() + pauseMs > deadline) throw failure;
      // Timers may fire a millisecond early.
      await delay(Math.ceil(pauseMs) + 1, undefined, { signal: work.signal });
    }
  }

  /**
   * Runs the work at each node in turn; resolves to the last failure when none answers by the deadline
   * (`performance.now()`). Pools that lost a submission's claim rely on its end by then: they hand out its
   * coins some time later.
   */
  private async runOnce<T>(
    { isWrite, signal }: Work,
    run: RunAtNode<T>,
    deadline: number,
  ): Promise<T | NodeFailure> {
    const { timeoutMs } = this.options;
    const isAlone = this.#nodes.length === 1;
    const waitMs = isWrite || isAlone ? timeoutMs : Math.min(timeoutMs, READ_MS);
    let last: NodeFailure | null = null;
    for (const node of this.inOrder()) {
      if (node.limitedMs > 0) continue;
      try {
        const leftMs = Math.max(1, deadline - performance.now());
        return await node.use((connection) => run(connection, Math.min(waitMs, leftMs)), signal);
      } catch (error) {
        if (isWrite && isUnknown(error)) node.avoid();
        if (!(error instanceof NodeFailure) || signal?.aborted) throw error;
        last = named(error, node);
        if (isWrite && error.mayBeProcessed) return last;
      }
    }
    return last ?? this.allLimited();
  }

  /** Milliseconds until one of the nodes accepts calls; 0: one does now. */
  private get limitedMs(): number {
    return Math.min(...this.inOrder().map(({ limitedMs }) => limitedMs));
  }

  private inOrder(): readonly LedgerNode[] {
    if (this.#nodes.length === 1) return this.#nodes;
    const now = performance.now();
    const rank = ({ avoidedUntil }: LedgerNode) => (avoidedUntil <= now ? 0 : avoidedUntil);
    return this.#nodes.toSorted((one, other) => rank(one) - rank(other));
  }

  private allLimited(): NodeFailure {
    const retryAfterMs = Math.ceil(this.limitedMs);
    const hosts = this.#nodes.map(({ host }) => host).join(', ');
    return new NodeFailure(`Ledger node ${hosts}: rate limit, retry in ${retryAfterMs} ms`, {
      mayBeProcessed: false,
      retryAfterMs,
    });
  }
}

function isUnknown(error: unknown): boolean {
  if (error instanceof NodeFailure) return error.isInvalid;
  if (!(error instanceof NodeRefusal) || !OUTCOME_UNKNOWN.has(error.code)) return false;
  return classifyRefusal(error).kind === 'unknown';
}

function named(failure: NodeFailure, { host }: LedgerNode): NodeFailure {
  const { message, isForeign, isInvalid } = failure;
  const answered = isInvalid ? 'gave an answer that cannot be used' : 'did not respond';
  const what = isForeign ? 'is not used' : answered;
  return new NodeFailure(`Ledger node ${host} ${what}: ${message}`, failure);
}
