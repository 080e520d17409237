import type { FilterCost } from '@forecourt/event-matching';
import { invalidParams, JsonRpcCode, JsonRpcError, type RpcConnection } from '@forecourt/json-rpc';

export interface SubscriptionLimits {
  readonly subscriptions: number;
  /** By `measureFilter`. */
  readonly filterBytes: number;
  /** Different paths of `MoveEventField`. */
  readonly fieldPaths: number;
}

export interface QuotaLimits {
  /** Bytes of one filter. */
  readonly maxFilterBytes: number;
  readonly perConnection: SubscriptionLimits;
  readonly perClient: SubscriptionLimits;
  readonly inAll: SubscriptionLimits;
}

/** A subscription without its filter. */
const BYTES_PER_SUBSCRIPTION = 600;

/** What the subscriptions of a connection, a client or the whole process take. */
class Usage {
  #subscriptions = 0;
  #bytes = 0;
  /** Path → subscriptions that look at it. */
  readonly #paths = new Map<string, number>();

  constructor(
    private readonly limits: SubscriptionLimits,
    private readonly whose: string,
  ) {}

  get isNone(): boolean {
    return this.#subscriptions === 0;
  }

  /** Throws -32006 naming the limit that `cost` would exceed. */
  check({ bytes, paths }: FilterCost): void {
    const { limits, whose } = this;
    if (this.#subscriptions >= limits.subscriptions) {
      throw tooMany(`at most ${limits.subscriptions} ${whose}`);
    }
    if (this.#bytes + bytes > limits.filterBytes) {
      throw tooMany(`filters ${whose} may take ${limits.filterBytes} bytes together`);
    }
    let added = 0;
    for (const path of paths) if (!this.#paths.has(path)) added += 1;
    if (added > 0 && this.#paths.size + added > limits.fieldPaths) {
      throw tooMany(`at most ${limits.fieldPaths} different paths of MoveEventField ${whose}`);
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
}

/** Bounds what subscriptions take, for each connection, for each client and in all. */
export class SubscriptionQuota {
  readonly #connections = new WeakMap<RpcConnection, Usage>();
  readonly #clients = new Map<string, Usage>();
  readonly #all: Usage;

  constructor(private readonly limits: QuotaLimits) {
    this.#all = new Usage(limits.inAll, 'in this service');
  }

  /**
   * Takes room for a subscription; the result, called once, gives it back. Throws -32602 for a filter that is too large,
   * -32006 beyond the limits.
   */
  take(connection: RpcConnection, filter: FilterCost): () => void {
    const { maxFilterBytes, perConnection, perClient } = this.limits;
    if (filter.bytes > maxFilterBytes) {
      throw invalidParams(
        `Invalid params: position 1 (filter) takes ${filter.bytes} bytes of memory; at most ${maxFilterBytes} are allowed`,
      );
    }
    const cost = { bytes: filter.bytes + BYTES_PER_SUBSCRIPTION, paths: filter.paths };
    const { client } = connection;
    const own = this.#connections.get(connection) ?? new Usage(perConnection, 'on one connection');
    const ofClient = this.#clients.get(client) ?? new Usage(perClient, 'of one client address');
    const usages = [own, ofClient, this.#all];
    for (const usage of usages) usage.check(cost);
    this.#connections.set(connection, own);
    this.#clients.set(client, ofClient);
    for (const usage of usages) usage.add(cost);
    const release = connection.held.take(cost.bytes);
    return () => {
      release();
      for (const usage of usages) usage.remove(cost);
      if (ofClient.isNone) this.#clients.delete(client);
    };
  }
}

function tooMany(detail: string): JsonRpcError {
  return new JsonRpcError(JsonRpcCode.tooManySubscriptions, `Too many subscriptions: ${detail}`);
}
