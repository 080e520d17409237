import { setTimeout as delay } from 'node:timers/promises';
import { RestAfterFailure } from '@forecourt/resilience';
import {
  type CallSender,
  NodeFailure,
  NodeRefusal,
  type RpcCall,
} from '../transport/node-transport.js';
import { classifyRefusal } from './classify-refusal.js';
import { type ConnectionOptions, ExpectedNetwork, NodeConnection } from './node-connection.js';

interface NodesOptions extends Omit<NodeOptions, 'url' | 'network'> {
  /** In order of preference; at least one. */
  readonly urls: readonly string[];
  /** The required network; absent: that of the first node that answers. */
  readonly network?: ExpectedNetwork | undefined;
}

/**
 * The method that changes the ledger. It is repeated at another node only if the first cannot have
 * processed it.
 */
const WRITE = 'iota_executeTransactionBlock';
const DRY_RUN = 'iota_dryRunTransactionBlock';
/**
 * Transient and internal errors: unless its text says more, the node does not know the outcome of a write, so another
 * may repeat it.
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
export class LedgerNodes implements CallSender {
  readonly #nodes: readonly LedgerNode[];

  constructor(private readonly options: NodesOptions) {
    const { network = new ExpectedNetwork() } = options;
    this.#nodes = options.urls.map((url) => new LedgerNode({ ...options, url, network }));
  }

  /**
   * Rejects with `NodeRefusal` when a node answers with an error, and with `NodeFailure` when none gives a usable answer
   * or, for a write, when its outcome is unknown. A node must be on the required network after it has refused a transaction as
   * well: the refusal may release coins that were signed for.
   */
  send(call: RpcCall): Promise<unknown> {
    const isWrite = call.method === WRITE;
    const { signal } = call;
    const confirmsRefusal = isWrite || call.method === DRY_RUN;
    return this.untilAccepted({ isWrite, signal }, (node, waitMs) =>
      node.call(call, performance.now() + waitMs, confirmsRefusal),
    );
  }

  /**
   * Runs reads that must agree, or on which coins depend, at one node that is on the required network before and after
   * them; at the next node from the beginning when that one does not respond. Rejects with `NodeFailure` when none does,
   * and as `reads`.
   */
  confirmed<T>(reads: (node: CallSender) => Promise<T>): Promise<T> {
    return this.untilAccepted({ isWrite: false }, (node, waitMs) => node.confirmed(reads, waitMs));
  }

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
   * (`performance.now()`). Pools that lost a submission's claim rely on its end by then: they hand out its coins some time
   * later.
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

/** A node answered a call, and the answer cannot be used. */
export interface InvalidAnswer {
  /** Host and port of its URL. */
  readonly node: string;
  readonly reason: string;
}

/**
 * Called when a node becomes unusable (`reason` says why) and when it is usable again (`reason` is
 * null).
 */
export interface NodeChange {
  /** Host and port of its URL. */
  readonly node: string;
  readonly reason: string | null;
  /** Whether the reason is that it is on another network. */
  readonly isForeign: boolean;
  /** Whether it answers, but not as a node. */
  readonly isInvalid: boolean;
}

interface NodeOptions extends ConnectionOptions {
  readonly onChange?: ((change: NodeChange) => void) | undefined;
  readonly onInvalidAnswer?: ((answer: InvalidAnswer) => void) | undefined;
}

const FIRST_REST_MS = 1_000;
const REST = { firstMs: FIRST_REST_MS, longestMs: 30_000 };

/** One node: its connections, and the time since which it has been unusable. */
class LedgerNode {
  readonly host: string;
  /** The connection used last is used first, so that few stay open. */
  readonly #idle: NodeConnection[] = [];
  /** Those in use and idle, except for those that are to be closed. */
  readonly #open = new Set<NodeConnection>();
  readonly #rest = new RestAfterFailure(REST);
  #isForeign = false;
  #limitedUntil = 0;

  constructor(private readonly options: NodeOptions) {
    this.host = new URL(options.url).host;
  }

  /**
   * After a failure, other nodes are preferred until this time (`performance.now()`); 0: no
   * failure.
   */
  get avoidedUntil(): number {
    return Math.max(this.#rest.until, this.#limitedUntil);
  }

  /** Milliseconds until its rate limit allows another call; 0: now. */
  get limitedMs(): number {
    return Math.max(0, this.#limitedUntil - performance.now());
  }

  /** Runs work over one of its connections. A failure after `signal` aborted is not the node's. */
  async use<T>(
    run: (connection: NodeConnection) => Promise<T>,
    signal: AbortSignal | undefined,
  ): Promise<T> {
    const connection = this.take();
    try {
      const result = await run(connection);
      this.recover();
      return result;
    } catch (error) {
      if (error instanceof NodeRefusal) this.recover();
      if (error instanceof NodeFailure) {
        if (error.isForeign) this.dropAll();
        if (error.isInvalid && !error.isUnidentified) this.noteInvalid(error);
        else if (!signal?.aborted) this.noteFailure(error);
      }
      throw error;
    } finally {
      this.release(connection);
    }
  }

  private take(): NodeConnection {
    const connection = this.#idle.pop() ?? new NodeConnection(this.options);
    this.#open.add(connection);
    if (connection.isShared) this.#idle.push(connection);
    return connection;
  }

  private release(connection: NodeConnection): void {
    if (!this.#open.has(connection)) connection.close();
    else if (!connection.isShared) this.#idle.push(connection);
  }

  /**
   * The address leads to another network, perhaps on every connection. Where it leads to several nodes, new connections
   * may reach the right network.
   */
  private dropAll(): void {
    for (const connection of this.#open) connection.doubt();
    for (const connection of this.#idle) connection.close();
    this.#open.clear();
    this.#idle.length = 0;
  }

  /** Other nodes are preferred for a short time. */
  avoid(): void {
    this.#rest.extend(FIRST_REST_MS);
  }

  private recover(): void {
    if (this.#rest.hasFailed) {
      const change = { node: this.host, reason: null, isForeign: false, isInvalid: false };
      this.options.onChange?.(change);
    }
    this.#rest.succeed();
    this.#isForeign = false;
    this.#limitedUntil = 0;
  }

  /** The node serves other calls: one that it cannot answer, perhaps by a caller's intent, must not move them all. */
  private noteInvalid({ message: reason }: NodeFailure): void {
    this.options.onInvalidAnswer?.({ node: this.host, reason });
  }

  private noteFailure({ message, retryAfterMs, isForeign, isInvalid }: NodeFailure): void {
    if (retryAfterMs !== undefined) {
      this.#limitedUntil = performance.now() + retryAfterMs;
      return;
    }
    if (!this.#rest.hasFailed || (isForeign && !this.#isForeign)) {
      this.options.onChange?.({ node: this.host, reason: message, isForeign, isInvalid });
    }
    this.#isForeign = isForeign;
    this.#rest.fail();
  }
}
