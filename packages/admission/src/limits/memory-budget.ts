import { onTicks } from '@forecourt/resilience';

/** A connection or an HTTP request that uses memory. */
export interface MemoryConsumer {
  readonly client: string;
  /** Bytes in use on its behalf now. */
  readonly usedBytes: number;
  /** Closes it to free its memory. */
  shed(): void;
}

export interface MemoryLimits {
  readonly perClient: number;
  readonly inAll: number;
}

const CHECK_INTERVAL_MS = 1_000;
/**
 * Share of the smaller limit that may be added before the limits are enforced without waiting for the
 * interval.
 */
const CHECK_SHARE = 1 / 32;

interface ClientUsage {
  bytes: number;
  readonly consumers: MemoryConsumer[];
}

/**
 * Bounds the memory used on behalf of clients. When a client exceeds its limit, its largest consumer is
 * closed; when all clients together exceed theirs, the largest consumer of the client that uses most is
 * closed.
 */
export class MemoryBudget {
  readonly #consumers = new Set<MemoryConsumer>();
  readonly #stop: () => void;
  readonly #checkAfter: number;
  #added = 0;
  #isCheckDue = false;
  #shedCount = 0;

  constructor(
    private readonly limits: MemoryLimits,
    private readonly onShed: (consumer: MemoryConsumer, usedBytes: number) => void,
  ) {
    this.#checkAfter = Math.min(limits.perClient, limits.inAll) * CHECK_SHARE;
    this.#stop = onTicks(CHECK_INTERVAL_MS, () => this.enforce());
  }

  /** Consumers closed so far. */
  get shedCount(): number {
    return this.#shedCount;
  }

  get usedBytes(): number {
    let sum = 0;
    for (const { usedBytes } of this.#consumers) sum += usedBytes;
    return sum;
  }

  add(consumer: MemoryConsumer): void {
    this.#consumers.add(consumer);
  }

  remove(consumer: MemoryConsumer): void {
    this.#consumers.delete(consumer);
  }

  /** Notes that a consumer uses `bytes` more; the limits are enforced soon after a large increase. */
  noteAdded(bytes: number): void {
    this.#added += bytes;
    if (this.#added < this.#checkAfter || this.#isCheckDue) return;
    this.#isCheckDue = true;
    // Not within the call that added them: it still uses the consumer that may be closed.
    setImmediate(() => this.enforce());
  }

  close(): void {
    this.#stop();
  }

  /** Closes consumers until the rest is within the limits. */
  enforce(): void {
    this.#added = 0;
    this.#isCheckDue = false;
    const usages = this.usageByClient();
    let total = 0;
    for (const usage of usages.values()) {
      usage.consumers.sort((a, b) => a.usedBytes - b.usedBytes);
      while (usage.bytes > this.limits.perClient) this.shedLargest(usage);
      total += usage.bytes;
    }
    while (total > this.limits.inAll) {
      const largest = [...usages.values()].reduce((a, b) => (b.bytes > a.bytes ? b : a));
      total -= this.shedLargest(largest);
    }
  }

  private usageByClient(): Map<string, ClientUsage> {
    const usages = new Map<string, ClientUsage>();
    for (const consumer of this.#consumers) {
      const usage = usages.get(consumer.client);
      if (usage) {
        usage.bytes += consumer.usedBytes;
        usage.consumers.push(consumer);
      } else usages.set(consumer.client, { bytes: consumer.usedBytes, consumers: [consumer] });
    }
    return usages;
  }

  private shedLargest(usage: ClientUsage): number {
    const consumer = usage.consumers.pop()!;
    const { usedBytes } = consumer;
    this.#consumers.delete(consumer);
    this.#shedCount += 1;
    usage.bytes -= usedBytes;
    this.onShed(consumer, usedBytes);
    consumer.shed();
    return usedBytes;
  }
}
