import { RestAfterFailure } from '@forecourt/resilience';
import { NodeFailure } from '../transport/node-failure.js';
import { NodeRefusal } from '../transport/node-refusal.js';
import { type ConnectionOptions, NodeConnection } from './node-connection.js';

/** A node answered a call, and the answer cannot be used. */
export interface InvalidAnswer {
  /** Host and port of its URL. */
  readonly node: string;
  readonly reason: string;
}

/** Called when a node becomes unusable (`reason` says why) and when it is usable again (`reason` is null). */
export interface NodeChange {
  /** Host and port of its URL. */
  readonly node: string;
  readonly reason: string | null;
  /** Whether the reason is that it is on another network. */
  readonly isForeign: boolean;
  /** Whether it answers, but not as a node. */
  readonly isInvalid: boolean;
}

export interface NodeOptions extends ConnectionOptions {
  readonly onChange?: ((change: NodeChange) => void) | undefined;
  readonly onInvalidAnswer?: ((answer: InvalidAnswer) => void) | undefined;
}

const FIRST_REST_MS = 1_000;
const REST = { firstMs: FIRST_REST_MS, longestMs: 30_000 };

/** One node: its connections, and the time since which it has been unusable. */
export class LedgerNode {
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

  /** After a failure, other nodes are preferred until this time (`performance.now()`); 0: no failure. */
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
   * The address leads to another network, perhaps on every connection. Where it leads to several nodes, new
   * connections may reach the right network.
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

  /**
   * The node serves other calls: one that it cannot answer, perhaps by a caller's intent, must not move them
   * all.
   */
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
