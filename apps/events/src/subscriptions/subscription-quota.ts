import { allowedOf, CLIENT_SHARE, groupsOf } from '@forecourt/admission';
import type { FilterCost } from '@forecourt/event-matching';
import { invalidParams, JsonRpcCode, JsonRpcError, type RpcConnection } from '@forecourt/json-rpc';
import { QUANTITIES, type SubscriptionLimits, SubscriptionUsage } from './subscription-usage.js';

export interface QuotaLimits {
  /** Bytes of one filter. */
  readonly maxFilterBytes: number;
  readonly perConnection: SubscriptionLimits;
  readonly inAll: SubscriptionLimits;
}

/** Memory of a subscription without its filter. */
const BYTES_PER_SUBSCRIPTION = 600;

/**
 * Bounds what subscriptions use, per connection and in total. Each client gets a part of what no other client uses, so that
 * something is left for others; a client that uses nothing gets what it asks for if it is free.
 */
export class SubscriptionQuota {
  readonly #connections = new WeakMap<RpcConnection, SubscriptionUsage>();
  /** By the groups of clients. */
  readonly #clients = new Map<string, SubscriptionUsage>();
  readonly #total = new SubscriptionUsage();

  constructor(private readonly limits: QuotaLimits) {}

  /**
   * Counts a subscription; returns a function that releases it, to be called once. Throws -32602 for a filter that is too
   * large, -32006 beyond the limits.
   */
  take(connection: RpcConnection, filter: FilterCost): () => void {
    const { maxFilterBytes, perConnection, inAll } = this.limits;
    if (filter.bytes > maxFilterBytes) {
      throw invalidParams(
        `Invalid params: position 1 (filter) needs ${filter.bytes} bytes of memory; the limit is ${maxFilterBytes}`,
      );
    }
    const cost = { bytes: filter.bytes + BYTES_PER_SUBSCRIPTION, paths: filter.paths };
    const own = this.#connections.get(connection) ?? new SubscriptionUsage();
    const groups = groupsOf(connection.client);
    const usages = groups.map((name) => this.#clients.get(name) ?? new SubscriptionUsage());
    check(own, cost, perConnection, 'connection');
    check(this.#total, cost, inAll, 'service');
    this.checkShares(usages, cost);
    this.#connections.set(connection, own);
    groups.forEach((name, index) => this.#clients.set(name, usages[index]!));
    const all = [own, ...usages, this.#total];
    for (const usage of all) usage.add(cost);
    const release = connection.memory.add(cost.bytes);
    return () => {
      release();
      for (const usage of all) usage.remove(cost);
      groups.forEach((name, index) => {
        if (usages[index]!.subscriptions === 0) this.#clients.delete(name);
      });
    };
  }

  /** `usages`: those of the client's groups, from the widest. */
  private checkShares(usages: readonly SubscriptionUsage[], cost: FilterCost): void {
    for (const [quantity, name] of QUANTITIES) {
      let total = this.limits.inAll[quantity];
      let held = this.#total[quantity];
      for (const usage of usages) {
        const own = usage[quantity];
        const wanted = usage.with(cost)[quantity];
        const allowed = Math.floor(allowedOf({ total, share: CLIENT_SHARE }, { held, own }));
        if (own > 0 && wanted > Math.max(own, allowed)) {
          throw exceeded(allowed, name, 'client address now');
        }
        total = Math.max(allowed, wanted);
        held = own;
      }
    }
  }
}

function check(
  usage: SubscriptionUsage,
  cost: FilterCost,
  limits: SubscriptionLimits,
  scope: string,
): void {
  const wanted = usage.with(cost);
  for (const [quantity, name] of QUANTITIES) {
    const isMore = wanted[quantity] > usage[quantity];
    if (isMore && wanted[quantity] > limits[quantity]) {
      throw exceeded(limits[quantity], name, scope);
    }
  }
}

function exceeded(limit: number, name: string, scope: string): JsonRpcError {
  return new JsonRpcError(
    JsonRpcCode.tooManySubscriptions,
    `Too many subscriptions: the limit is ${limit} ${name} per ${scope}; unsubscribe or use smaller filters`,
  );
}
