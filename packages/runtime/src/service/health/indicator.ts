import { REPLICAS_KEY } from '@forecourt/contracts';
import type { RedisConnection } from '../../redis/index.js';

/** A check made by a probe. `check` throws when its subject is down; its result is shown. */
export interface Indicator {
  readonly name: string;
  readonly check: () => Promise<Record<string, unknown> | void>;
}

/** The checks of a service's probes. */
export interface HealthIndicators {
  /** Preconditions of this replica's answers, known without a call: another replica may meet them. */
  readonly replica: readonly Indicator[];
  /** Dependencies of all replicas, such as Redis and the ledger. */
  readonly dependencies: readonly Indicator[];
}

/**
 * Succeeds when Redis takes writes: a Redis whose memory is full, or a replica, answers PING as well. The command would
 * change an entry that never exists, so it changes nothing. In a cluster, it reaches one master.
 */
export function redisIndicator(redis: Pick<RedisConnection, 'zadd'>): Indicator {
  return {
    name: 'redis',
    check: async () => void (await redis.zadd(REPLICAS_KEY, 'XX', 0, 'no replica')),
  };
}

/** Succeeds when the queue's own connection answers and the queue can be read. */
export function queueIndicator(queue: {
  readonly name: string;
  getJobCounts(...types: ('wait' | 'active' | 'delayed')[]): Promise<Record<string, number>>;
}): Indicator {
  return { name: 'queue', check: () => queue.getJobCounts('wait', 'active', 'delayed') };
}

/** Succeeds when a ledger node answers; shows its epoch. */
export function ledgerIndicator(ledger: {
  chainIdentifier(): Promise<string>;
  status(): Promise<{ epoch: bigint }>;
}): Indicator {
  return {
    name: 'ledger',
    // The status is cached; the network's identifier is the cheapest call that proves that a node responds.
    check: async () => {
      await ledger.chainIdentifier();
      return { epoch: String((await ledger.status()).epoch) };
    },
  };
}
