/** Something that a probe examines. `check` throws when it is down; what it returns is shown. */
export interface Indicator {
  readonly name: string;
  readonly check: () => Promise<Record<string, unknown> | void>;
}

/** What the probes of a service examine. */
export interface HealthIndicators {
  /** What this replica needs before it can answer at all, known without asking anybody: another replica may have it. */
  readonly replica: readonly Indicator[];
  /** What all replicas share, such as Redis and the ledger. */
  readonly dependencies: readonly Indicator[];
}

/** Answers PING. */
interface Pinged {
  ping(): Promise<string>;
}

/** Redis answers. */
export function redisIndicator(redis: Pinged): Indicator {
  return { name: 'redis', check: async () => void (await redis.ping()) };
}

/** The queue's own connection answers and the queue can be read. */
export function queueIndicator(queue: {
  readonly name: string;
  getJobCounts(...types: ('wait' | 'active' | 'delayed')[]): Promise<Record<string, number>>;
}): Indicator {
  return { name: 'queue', check: () => queue.getJobCounts('wait', 'active', 'delayed') };
}

/** A ledger node answers; shows its epoch. */
export function ledgerIndicator(ledger: {
  chainIdentifier(): Promise<string>;
  status(): Promise<{ epoch: bigint }>;
}): Indicator {
  return {
    name: 'ledger',
    // The status is cached; the network's identifier is the cheapest question that shows whether a node responds.
    check: async () => {
      await ledger.chainIdentifier();
      return { epoch: String((await ledger.status()).epoch) };
    },
  };
}
