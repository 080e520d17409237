import { listenerLimits, TokenBuckets } from '@forecourt/resilience';

/** A tenth of a processor, ten seconds of which a client may use at once. */
const AT_ONCE_MS = listenerLimits.processorTime.default;
const PER_SECOND_MS = AT_ONCE_MS / 10;
/** A group of clients has twice as much as one of them, so that one leaves something to the others. */
const GROUP_FACTOR = 2;

/**
 * Bounds the processor time that clients take in pieces during which the process does nothing else. It is
 * known only afterwards, so a client that has used its share up waits until it has some again. A client is a
 * path of names from the widest to the narrowest, as for `FairShares`.
 */
export class ProcessorShares {
  readonly #left: TokenBuckets;

  /** `now`: a monotonic clock in milliseconds. */
  constructor(private readonly now = () => performance.now()) {
    this.#left = new TokenBuckets({
      capacity: AT_ONCE_MS,
      perSecond: PER_SECOND_MS,
      maxDebt: AT_ONCE_MS,
      now,
    });
  }

  hasRoom(client: readonly string[]): boolean {
    return !client.some((name) => this.#left.isEmpty(name));
  }

  /**
   * Returns the result of `work`; what it takes without a break beyond `freeMs` is taken from the client's
   * share.
   */
  measure<T>(client: readonly string[], work: () => T, freeMs = 0): T {
    const startedAt = this.now();
    try {
      return work();
    } finally {
      const taken = this.now() - startedAt - freeMs;
      if (taken > 0) this.spend(client, taken);
    }
  }

  private spend(client: readonly string[], milliseconds: number): void {
    for (const [index, name] of client.entries()) {
      const isGroup = index < client.length - 1;
      this.#left.charge(name, isGroup ? milliseconds / GROUP_FACTOR : milliseconds);
    }
  }
}
