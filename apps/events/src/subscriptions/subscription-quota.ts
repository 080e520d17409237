import type { FilterCost } from '@forecourt/event-matching';
import { invalidParams, JsonRpcCode, JsonRpcError, type RpcConnection } from '@forecourt/json-rpc';

export interface SubscriptionLimits {
  readonly subscriptions: number;
  /** As estimated by `measureFilterCost`, and a fixed amount for each subscription. */
  readonly filterBytes: number;
  /** Different `MoveEventField` paths. */
  readonly fieldPaths: number;
}

export interface QuotaLimits {
  /** Bytes of one filter. */
  readonly maxFilterBytes: number;
  readonly perConnection: SubscriptionLimits;
  readonly perClient: SubscriptionLimits;
  readonly inAll: SubscriptionLimits;
}

/** Memory of a subscription without its filter. */
const BYTES_PER_SUBSCRIPTION = 600;

/** What the subscriptions of a connection, a client or the whole process use. */
class Usage {
  #subscriptions = 0;
  #bytes = 0;
  /** Path → number of subscriptions that use it. */
  readonly #paths = new Map<string, number>();

  constructor(
    private readonly limits: SubscriptionLimits,
    private readonly scope: string,
  ) {}

  get isEmpty(): boolean {
    return this.#subscriptions === 0;
  }

  /** Throws -32006 naming the limit that `cost` would exceed. */
  check({ bytes, paths }: FilterCost): void {
    const { limits } = this;
    if (this.#subscriptions >= limits.subscriptions) {
      throw this.exceeded(`${limits.subscriptions} subscriptions`);
    }
    if (this.#bytes + bytes > limits.filterBytes) {
      throw this.exceeded(`${limits.filterBytes} bytes of filters`);
    }
    let added = 0;
    for (const path of paths) if (!this.#paths.has(path)) added += 1;
    if (added > 0 && this.#paths.size + added > limits.fieldPaths) {
      throw this.exceeded(`${limits.fieldPaths} different MoveEventField paths`);
    }
  }

  add({ bytes, paths }: FilterCost): void {
    this.#subscriptions += 1;
    this.#bytes += bytes;
    for (const path of paths) this.#paths.set(path, (this.#paths.get(path) ?? 0) + 1);
  }

  remove({ bytes, paths }: FilterCost): void {
    this.#subscriptions -= 1;
    this.#bytes -= bytes;
    for (const path of paths) {
      const left = this.#paths.get(path)! - 1;
      if (left === 0) this.#paths.delete(path);
      else this.#paths.set(path, left);
    }
  }

  private exceeded(limit: string): JsonRpcError {
    return new JsonRpcError(
      JsonRpcCode.tooManySubscriptions,
      `Too many subscriptions: the limit is ${limit} per ${this.scope}; unsubscribe or use smaller filters`,
    );
  }
}

/** Bounds what subscriptions use, per connection, per client and in total. */
export class SubscriptionQuota {
  readonly #connections = new WeakMap<RpcConnection, Usage>();
  readonly #clients = new Map<string, Usage>();
  readonly #total: Usage;

  constructor(private readonly limits: QuotaLimits) {
    this.#total = new Usage(limits.inAll, 'service');
  }

  /**
   * Counts a subscription; returns a function that releases it, to be called once. Throws -32602 for a filter that is too
   * large, -32006 beyond the limits.
   */
  take(connection: RpcConnection, filter: FilterCost): () => void {
    const { maxFilterBytes, perConnection, perClient } = this.limits;
    if (filter.bytes > maxFilterBytes) {
      throw invalidParams(
        `Invalid params: position 1 (filter) needs ${filter.bytes} bytes of memory; the limit is ${maxFilterBytes}`,
      );
    }
    const cost = { bytes: filter.bytes + BYTES_PER_SUBSCRIPTION, paths: filter.paths };
    const { client } = connection;
    const own = this.#connections.get(connection) ?? new Usage(perConnection, 'connection');
    const ofClient = this.#clients.get(client) ?? new Usage(perClient, 'client address');
    const usages = [own, ofClient, this.#total];
    for (const usage of usages) usage.check(cost);
    this.#connections.set(connection, own);
    this.#clients.set(client, ofClient);
    for (const usage of usages) usage.add(cost);
    const release = connection.memory.add(cost.bytes);
    return () => {
      release();
      for (const usage of usages) usage.remove(cost);
      if (ofClient.isEmpty) this.#clients.delete(client);
    };
  }
}
