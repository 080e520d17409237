/** Whoever memory is held for: a connection, or an HTTP request. */
export interface MemoryConsumer {
  readonly client: string;
  /** Bytes that are held for it now. */
  readonly heldBytes: number;
  /** Ends it, so that its bytes become free. */
  shed(): void;
}

export interface MemoryLimits {
  readonly perClient: number;
  readonly inAll: number;
}

const LOOK_EVERY_MS = 1_000;
/** What may be taken, as a share of the whole, before the sums are looked at again. */
const LOOK_SHARE = 1 / 32;

interface ClientSum {
  bytes: number;
  readonly consumers: MemoryConsumer[];
}

/**
 * Bounds the memory that is held for clients. When a client holds more than it may, its largest consumer is ended; when
 * all together do, the largest consumer of the client that holds the most.
 */
export class MemoryBudget {
  readonly #consumers = new Set<MemoryConsumer>();
  readonly #timer: NodeJS.Timeout;
  readonly #lookAfter: number;
  #taken = 0;
  #isDue = false;
  #shedCount = 0;

  constructor(
    private readonly limits: MemoryLimits,
    private readonly onShed: (consumer: MemoryConsumer, heldBytes: number) => void,
  ) {
    this.#lookAfter = Math.min(limits.perClient, limits.inAll) * LOOK_SHARE;
    this.#timer = setInterval(() => this.look(), LOOK_EVERY_MS);
    this.#timer.unref();
  }

  /** Consumers ended so far. */
  get shedCount(): number {
    return this.#shedCount;
  }

  get heldBytes(): number {
    let sum = 0;
    for (const { heldBytes } of this.#consumers) sum += heldBytes;
    return sum;
  }

  add(consumer: MemoryConsumer): void {
    this.#consumers.add(consumer);
  }

  remove(consumer: MemoryConsumer): void {
    this.#consumers.delete(consumer);
  }

  /** Hears of bytes that are taken; the sums are looked at soon after many were. */
  note(bytes: number): void {
    this.#taken += bytes;
    if (this.#taken < this.#lookAfter || this.#isDue) return;
    this.#isDue = true;
    // Not within the call that took them: it goes on with what may be ended.
    setImmediate(() => this.look());
  }

  close(): void {
    clearInterval(this.#timer);
  }

  /** Ends consumers until what is left keeps within the limits. */
  look(): void {
    this.#taken = 0;
    this.#isDue = false;
    const sums = this.sumUp();
    let total = 0;
    for (const sum of sums.values()) {
      sum.consumers.sort((a, b) => a.heldBytes - b.heldBytes);
      while (sum.bytes > this.limits.perClient) this.shedLargest(sum);
      total += sum.bytes;
    }
    while (total > this.limits.inAll) {
      const largest = [...sums.values()].reduce((a, b) => (b.bytes > a.bytes ? b : a));
      total -= this.shedLargest(largest);
    }
  }

  private sumUp(): Map<string, ClientSum> {
    const sums = new Map<string, ClientSum>();
    for (const consumer of this.#consumers) {
      const sum = sums.get(consumer.client);
      if (sum) {
        sum.bytes += consumer.heldBytes;
        sum.consumers.push(consumer);
      } else sums.set(consumer.client, { bytes: consumer.heldBytes, consumers: [consumer] });
    }
    return sums;
  }

  private shedLargest(sum: ClientSum): number {
    const consumer = sum.consumers.pop()!;
    const { heldBytes } = consumer;
    this.#consumers.delete(consumer);
    this.#shedCount += 1;
    sum.bytes -= heldBytes;
    this.onShed(consumer, heldBytes);
    consumer.shed();
    return heldBytes;
  }
}
