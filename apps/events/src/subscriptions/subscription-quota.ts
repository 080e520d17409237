import { Inject, Injectable } from '@nestjs/common';
import { groupsOf } from '@forecourt/admission';
import { allowedOf, CLIENT_SHARE, shareAt } from '@forecourt/resilience';
import type { FilterCost } from '../event-matching/compile-filter.js';
import { type RpcConnection } from '@forecourt/json-rpc';
import { invalidParams, JsonRpcCode, JsonRpcError } from '@forecourt/contracts';
import { EVENTS_CONFIG } from '../config/events-config.module.js';
import type { EventsConfig } from '../config/events-config.js';

/** The resources that subscriptions use. */
interface SubscriptionLimits {
  readonly subscriptions: number;
  /** As estimated by `measureFilterCost`, and a fixed amount for each subscription. */
  readonly filterBytes: number;
  /** Different `MoveEventField` paths. */
  readonly fieldPaths: number;
}

const QUANTITIES = [
  ['subscriptions', 'subscriptions'],
  ['filterBytes', 'bytes of filters'],
  ['fieldPaths', 'different MoveEventField paths'],
] as const satisfies readonly (readonly [keyof SubscriptionLimits, string])[];

/** The resources that the subscriptions of a connection, a client or the whole process use. */
class SubscriptionUsage implements SubscriptionLimits {
  subscriptions = 0;
  filterBytes = 0;
  /** Path → number of subscriptions that use it. */
  readonly #paths = new Map<string, number>();

  get fieldPaths(): number {
    return this.#paths.size;
  }

  /** The usage with one more subscription. */
  with({ bytes, paths }: FilterCost): SubscriptionLimits {
    let fieldPaths = this.#paths.size;
    for (const path of paths) if (!this.#paths.has(path)) fieldPaths += 1;
    const { subscriptions, filterBytes } = this;
    return { subscriptions: subscriptions + 1, filterBytes: filterBytes + bytes, fieldPaths };
  }

  add({ bytes, paths }: FilterCost): void {
    this.subscriptions += 1;
    this.filterBytes += bytes;
    for (const path of paths) this.#paths.set(path, (this.#paths.get(path) ?? 0) + 1);
  }

  remove({ bytes, paths }: FilterCost): void {
    this.subscriptions -= 1;
    this.filterBytes -= bytes;
    for (const path of paths) {
      const left = this.#paths.get(path)! - 1;
      if (left === 0) this.#paths.delete(path);
      else this.#paths.set(path, left);
    }
  }
}

/** Memory of a subscription without its filter. */
const BYTES_PER_SUBSCRIPTION = 600;

/**
 * Bounds the resources of subscriptions, per connection and in total. Each client may hold a part of what no
 * other client holds, so that the others can subscribe too. The first subscription of a client needs only
 * free resources.
 */
@Injectable()
export class SubscriptionQuota {
  readonly #connections = new WeakMap<RpcConnection, SubscriptionUsage>();
  /** By the groups of clients. */
  readonly #clients = new Map<string, SubscriptionUsage>();
  readonly #total = new SubscriptionUsage();

  readonly #perConnection: SubscriptionLimits;
  readonly #inAll: SubscriptionLimits;

  constructor(@Inject(EVENTS_CONFIG) private readonly config: EventsConfig) {
    this.#perConnection = {
      subscriptions: config.maxSubscriptionsPerConnection,
      filterBytes: config.maxFilterBytesPerConnection,
      fieldPaths: config.maxFieldPathsPerConnection,
    };
    this.#inAll = {
      subscriptions: config.maxSubscriptions,
      filterBytes: config.maxFilterBytesInAll,
      fieldPaths: config.maxFieldPathsInAll,
    };
  }

  /**
   * Counts a subscription; returns a function that releases it, to be called once. Throws -32602 for a filter
   * that is too large, -32006 beyond the limits.
   */
  take(connection: RpcConnection, filter: FilterCost): () => void {
    const { maxFilterBytes } = this.config;
    if (filter.bytes > maxFilterBytes) {
      throw invalidParams(
        `Invalid params: position 1 (filter) needs ${filter.bytes} bytes of memory; the limit is ${maxFilterBytes}`,
      );
    }
    const cost = { bytes: filter.bytes + BYTES_PER_SUBSCRIPTION, paths: filter.paths };
    const own = this.#connections.get(connection) ?? new SubscriptionUsage();
    const groups = groupsOf(connection.client);
    const usages = groups.map((name) => this.#clients.get(name) ?? new SubscriptionUsage());
    check(own, cost, this.#perConnection, 'connection');
    check(this.#total, cost, this.#inAll, 'service');
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
      let total = this.#inAll[quantity];
      let held = this.#total[quantity];
      for (const [index, usage] of usages.entries()) {
        const share = shareAt(CLIENT_SHARE, index, usages);
        const own = usage[quantity];
        const next = usage.with(cost)[quantity];
        const allowed = Math.floor(allowedOf({ total, share }, { held, own }));
        if (own > 0 && next > Math.max(own, allowed)) {
          throw exceeded(allowed, name, 'client address now');
        }
        total = Math.max(allowed, next);
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
  const next = usage.with(cost);
  for (const [quantity, name] of QUANTITIES) {
    const isMore = next[quantity] > usage[quantity];
    if (isMore && next[quantity] > limits[quantity]) {
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
