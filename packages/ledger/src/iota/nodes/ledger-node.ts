import { type ConnectionOptions, NodeConnection } from './node-connection.js';
import { NodeFailure, NodeRefusal, type RpcCall } from '../transport/node-transport.js';

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
}

export interface NodeOptions extends ConnectionOptions {
  readonly onChange?: ((change: NodeChange) => void) | undefined;
}

const FIRST_REST_MS = 1_000;
const LONGEST_REST_MS = 30_000;

/** One node: its connections, and the time since which it has been unusable. */
export class LedgerNode {
  readonly host: string;
  /** The connection used last is used first, so that few stay open. */
  private readonly idle: NodeConnection[] = [];
  /** Those in use and idle, except for those that are to be closed. */
  private readonly open = new Set<NodeConnection>();
  private failures = 0;
  private isForeign = false;
  private restingUntil = 0;
  private limitedUntil = 0;

  constructor(private readonly options: NodeOptions) {
    this.host = new URL(options.url).host;
  }

  /**
   * After a failure, other nodes are preferred until this time (`performance.now()`); 0: no
   * failure.
   */
  get avoidedUntil(): number {
    return Math.max(this.restingUntil, this.limitedUntil);
  }

  /** Milliseconds until its rate limit allows another call; 0: now. */
  get limitedMs(): number {
    return Math.max(0, this.limitedUntil - performance.now());
  }

  /** See `NodeConnection.call`. */
  call(
    call: RpcCall,
    timeoutMs = this.options.timeoutMs,
    confirmsRefusal = false,
  ): Promise<unknown> {
    const endsAt = performance.now() + timeoutMs;
    return this.use((connection) => connection.call(call, endsAt, confirmsRefusal), call.signal);
  }

  /** See `NodeConnection.confirmed`. */
  confirmed<T>(
    reads: (request: (call: RpcCall) => Promise<unknown>) => Promise<T>,
    timeoutMs = this.options.timeoutMs,
  ): Promise<T> {
    return this.use((connection) => connection.confirmed(reads, timeoutMs));
  }

  private async use<T>(
    run: (connection: NodeConnection) => Promise<T>,
    signal?: AbortSignal,
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
        if (!signal?.aborted) this.noteFailure(error);
      }
      throw error;
    } finally {
      this.release(connection);
    }
  }

  private take(): NodeConnection {
    const connection = this.idle.pop() ?? new NodeConnection(this.options);
    this.open.add(connection);
    if (connection.isShared) this.idle.push(connection);
    return connection;
  }

  private release(connection: NodeConnection): void {
    if (!this.open.has(connection)) connection.close();
    else if (!connection.isShared) this.idle.push(connection);
  }

  /**
   * The address leads to another network, perhaps on every connection. Where it leads to several nodes, new connections
   * may reach the right network.
   */
  private dropAll(): void {
    for (const connection of this.open) connection.doubt();
    for (const connection of this.idle) connection.close();
    this.open.clear();
    this.idle.length = 0;
  }

  /** Other nodes are preferred for a short time. */
  avoid(): void {
    this.restingUntil = performance.now() + FIRST_REST_MS;
  }

  private recover(): void {
    if (this.failures > 0) {
      this.options.onChange?.({ node: this.host, reason: null, isForeign: false });
    }
    this.failures = 0;
    this.isForeign = false;
    this.restingUntil = 0;
    this.limitedUntil = 0;
  }

  private noteFailure({ message, retryAfterMs, isForeign }: NodeFailure): void {
    const now = performance.now();
    if (retryAfterMs !== undefined) {
      this.limitedUntil = now + retryAfterMs;
      return;
    }
    if (this.failures === 0 || (isForeign && !this.isForeign)) {
      this.options.onChange?.({ node: this.host, reason: message, isForeign });
    }
    this.isForeign = isForeign;
    this.restingUntil = now + Math.min(FIRST_REST_MS * 2 ** this.failures, LONGEST_REST_MS);
    this.failures += 1;
  }
}
